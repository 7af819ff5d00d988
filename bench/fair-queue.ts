/**
 * A day's report of one group while another group has requested reports of a thousand years, compared with the same
 * report alone.
 */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '../packages/service/src/access/clients.ts';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { openLedgerIn } from '../packages/service/src/ledger/sqlite/sqlite.ts';
import { type Figure, figureOf, median, runPairs } from './figures.ts';
import { LAST_DATE, type Large, RESTAURANTS, TEMPLATE, withLarge } from './folders.ts';
import { startService } from './service.ts';

const YEARS = 1000;
/** Reports of a day in one run; requests of the flood that are sent at once. */
const TIMES = 15;
const AT_ONCE = 20;

/** A data folder in which all restaurants but the template are another group's; the facts are the copy. */
async function splitGroups({ data, factsCopy, folder }: Large) {
  const split = join(folder, 'split');
  await mkdir(split);
  for (const end of ['', '-wal'])
    await cp(join(data, `ledger.sqlite${end}`), join(split, `ledger.sqlite${end}`)).catch(() => undefined);
  await symlink(factsCopy, join(split, 'facts'));
  const ledger = await openLedgerIn(split);
  const { id, secret } = await createClient(ledger, { group: 'flood' }, Date.now());
  await ledger.close();
  const db = new DatabaseSync(join(split, 'ledger.sqlite'));
  db.prepare(`update restaurant set management_group = 'flood' where guid <> ?`).run(TEMPLATE.guid);
  db.close();
  return { split, credentials: { clientId: id, clientSecret: secret } };
}

export const fairQueue = (): Promise<Figure[]> =>
  withLarge(async (large) => {
    const { split, credentials } = await splitGroups(large);
    const service = await startService(split);
    const login = await fetch(new URL('/authentication/v1/authentication/login', service.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...credentials, userAccessType: 'TOAST_MACHINE_CLIENT' }),
    });
    const { token } = (await login.json()) as { token: { accessToken: string } };
    const headers = { authorization: `Bearer ${token.accessToken}`, 'content-type': 'application/json' };
    const year = JSON.stringify({
      startBusinessDate: addDays(LAST_DATE, -364),
      endBusinessDate: LAST_DATE,
      groupBy: ['DINING_OPTION', 'ORDER_SOURCE'],
    });
    let completed = 0;

    /** One after the other in AT_ONCE lines. */
    async function each<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
      const done: T[] = [];
      let next = 0;
      const line = async (): Promise<void> => {
        while (next < count) {
          const index = next++;
          done[index] = await work(index);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, line));
      return done;
    }
    async function flood(): Promise<string[]> {
      return await each(YEARS, async () => {
        const response = await fetch(`${service.baseUrl}/metrics/year`, { method: 'POST', headers, body: year });
        if (!response.ok) throw new Error(await response.text());
        return (await response.json()) as string;
      });
    }
    async function cancel(guids: string[]): Promise<void> {
      await each(guids.length, async (index) => {
        const url = `${service.baseUrl}/reports/${guids[index]}`;
        const authorization = headers.authorization;
        const report = (await (await fetch(url, { headers: { authorization } })).json()) as { status: string };
        if (report.status === 'COMPLETED') completed++;
        await fetch(url, { method: 'DELETE', headers: { authorization } });
      });
    }
    async function day(): Promise<number> {
      const times: number[] = [];
      for (let i = 0; i < TIMES; i++) {
        const began = performance.now();
        const guid = await service.ask('/metrics/day', { startBusinessDate: LAST_DATE });
        await (await service.retrieve(`/metrics/${guid}`)).json();
        times.push(performance.now() - began);
      }
      return median(times);
    }
    async function besideYears(): Promise<number> {
      const guids = await flood();
      const ms = await day();
      await cancel(guids);
      return ms;
    }

    try {
      await day();
      const pairs = await runPairs(besideYears, day);
      return [
        figureOf(
          {
            figure: `create to complete of a day while another group has asked for ${YEARS} years of ${RESTAURANTS - 1} restaurants, ms`,
            beside: 'the same alone',
            compared: 'ratio',
            goal: { at: 'most', value: 2 },
            note: `${completed} of those years were completed meanwhile`,
          },
          pairs,
        ),
      ];
    } finally {
      await service.stop();
    }
  });
