/** Retrieval of a ready report of 20 records, with its token, beside raw node:http sending the same bytes to anyone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { closedLoop, startLimit } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { fillSmall, LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { startService } from './service.ts';

const RECORDS = 20;
const SECONDS = 4;

export const retrieveSmall = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    await fillSmall(data, RECORDS);
    const service = await startService(data);
    const guid = await service.ask('/metrics/month', {
      startBusinessDate: addDays(LAST_DATE, 1 - RECORDS),
      endBusinessDate: LAST_DATE,
      restaurantIds: [TEMPLATE.guid],
    });
    const body = await (await service.retrieve(`/metrics/${guid}`)).text();
    const records = (JSON.parse(body) as unknown[]).length;
    if (records !== RECORDS) throw new Error(`${records} records instead of ${RECORDS}`);
    const file = join(folder, 'body.json');
    await writeFile(file, body);
    const limit = await startLimit('bytes', file);
    const shots = { connections: 64, seconds: SECONDS };
    const url = `${service.baseUrl}/metrics/${guid}`;
    const ours = (): Promise<number> => closedLoop({ url, headers: service.headers, ...shots });
    const raw = (): Promise<number> => closedLoop({ url: limit.url, ...shots });
    try {
      // Warm.
      await ours();
      await raw();
      return [
        figureOf(
          {
            figure: 'retrieval of 20 records at 64 connections, requests/s',
            beside: 'raw node:http, same bytes, no auth',
            compared: 'ratio',
            goal: { at: 'least', value: 0.6 },
          },
          await runPairs(ours, raw),
        ),
      ];
    } finally {
      await limit.stop();
      await service.stop();
    }
  });
