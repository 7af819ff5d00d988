/** The cost of 200 connections that send wrong client secrets, for everybody else. */
import { join } from 'node:path';
import { answerOf, steadyP99 } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { fillSmall, LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { type BenchService, startService } from './service.ts';
import type { StrangersOptions } from './strangers.ts';

const CONNECTIONS = 200;
const STEADY = { connections: 8, rate: 200, seconds: 6 };
/** Before the steady GETs, so that the strangers have connected. */
const LEAD_S = 1;
const PAUSE_MS = 250;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Logs in with the right secret, and asks whether the service is ready; answers how long the login took, in ms. */
async function login({ baseUrl }: BenchService): Promise<number> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'bench', client_secret: 'secret' });
  const began = performance.now();
  const answer = await fetch(new URL('/oauth/token', baseUrl), { method: 'POST', body });
  await answer.arrayBuffer();
  const took = performance.now() - began;
  const ready = await fetch(new URL('/readyz', baseUrl));
  await ready.arrayBuffer();
  if (answer.status !== 200 || ready.status !== 200)
    throw new Error(`a right login was ${answer.status}, /readyz ${ready.status}`);
  return took;
}

export const wrongSecrets = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const data = join(folder, 'data');
    await fillSmall(data, 1);
    const service = await startService(data);
    const logins: number[] = [];
    const answers: Record<string, number> = {};
    try {
      const guid = await service.ask('/metrics/day', { startBusinessDate: LAST_DATE, restaurantIds: [TEMPLATE.guid] });
      await service.retrieve(`/metrics/${guid}`);
      const get = { url: `${service.baseUrl}/metrics/${guid}`, headers: service.headers, ...STEADY };
      const strangers: StrangersOptions = {
        url: new URL('/oauth/token', service.baseUrl).href,
        ids: ['bench', 'client-000000000000'],
        connections: CONNECTIONS,
        seconds: STEADY.seconds + 2 * LEAD_S,
      };
      const attacked = async (): Promise<number> => {
        const told = answerOf<Record<string, number>>('strangers.ts', strangers);
        await sleep(LEAD_S * 1000);
        let over = false;
        const measured = steadyP99(get).finally(() => {
          over = true;
        });
        while (!over) {
          logins.push(await login(service));
          await sleep(PAUSE_MS);
        }
        for (const [status, count] of Object.entries(await told)) answers[status] = (answers[status] ?? 0) + count;
        return await measured;
      };
      await steadyP99(get);
      const pairs = await runPairs(attacked, () => steadyP99(get));
      const slowest = Math.max(...logins);
      const note = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
      return [
        figureOf(
          {
            figure: `small GET p99 while ${CONNECTIONS} connections send wrong secrets, ms`,
            beside: 'the same when idle',
            compared: 'ratio',
            goal: { at: 'most', value: 5 },
            note: `the strangers were answered ${note.join(', ')}; /readyz was 200 each of ${logins.length} times`,
          },
          pairs,
        ),
        figureOf(
          {
            figure: `slowest of ${logins.length} right logins meanwhile, ms`,
            beside: '-',
            compared: 'alone',
            goal: { at: 'most', value: 2000 },
          },
          [{ ours: slowest, limit: null }],
        ),
      ];
    } finally {
      await service.stop();
    }
  });
