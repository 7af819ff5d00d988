/** The cost of 1,000 readers that stop reading, and whether the service ends their connections. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { residentBytes } from './children.ts';
import { type Figure, figureOf } from './figures.ts';
import { fillSmall, LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { type BenchService, startService } from './service.ts';
import type { StalledOptions } from './stalled.ts';

/** Before them: the young part of V8's heap grows to its full size, some 80 MB, with the first load of any kind. */
const FIRST = 200;
const READERS = 1000;
/** Some 8 MB: more than the system takes of an answer that nobody reads. */
const DAYS = 30;
const READ_S = 20;
const LOOK_MS = 250;

/**
 * Runs the readers; answers the most memory that the service had meanwhile, in bytes, and how many of them were cut.
 */
async function stall({ pid }: BenchService, options: StalledOptions): Promise<{ most: number; cut: number }> {
  const script = fileURLToPath(new URL('stalled.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid));
  }, LOOK_MS);
  const told: number[] = [];
  for await (const line of createInterface(child.stdout)) told.push(Number(line));
  clearInterval(timer);
  const [stalled = 0, cut = 0] = told;
  if (stalled !== options.connections) throw new Error('not every reader was answered');
  return { most, cut };
}

export const stalledReaders = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    await fillSmall(data, DAYS);
    const service = await startService(data, '--read-seconds', String(READ_S), '--client-downloads', String(READERS));
    try {
      const guid = await service.ask('/check/month', {
        startBusinessDate: addDays(LAST_DATE, 1 - DAYS),
        endBusinessDate: LAST_DATE,
        restaurantIds: [TEMPLATE.guid],
      });
      await (await service.retrieve(`/check/${guid}`)).arrayBuffer();
      const options: StalledOptions = {
        url: `${service.baseUrl}/check/${guid}`,
        headers: { ...service.headers, 'accept-encoding': 'identity' },
        connections: READERS,
        seconds: READ_S * 2,
      };
      await stall(service, { ...options, connections: FIRST });
      const before = residentBytes(service.pid);
      const { most, cut } = await stall(service, options);
      return [
        figureOf(
          {
            figure: `memory for each of ${READERS} readers that stopped reading, kB`,
            beside: '-',
            compared: 'alone',
            goal: { at: 'most', value: 100 },
            note: `${Math.round((residentBytes(service.pid) - before) / 1e6)} MB of it were still held when they had gone`,
          },
          [{ ours: (most - before) / 1000 / READERS, limit: null }],
        ),
        figureOf(
          {
            figure: `of ${READERS} readers that stopped reading, still connected after twice --read-seconds`,
            beside: '-',
            compared: 'alone',
            goal: { at: 'most', value: 0 },
          },
          [{ ours: READERS - cut, limit: null }],
        ),
      ];
    } finally {
      await service.stop();
    }
  });
