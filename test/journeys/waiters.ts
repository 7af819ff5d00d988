/** Reports that stay unfinished for as long as a test likes, and many clients that wait for them. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { claimOne } from '../conformance/claim.ts';
import { signalEngines } from './engines.ts';
import { NOW, nodesOf, type Running } from './service.ts';

const DAY = { startBusinessDate: '20260310' };

/** Holds the engine still, so that whatever is asked for stays unfinished until it is let go. */
export async function whileEngineStands(running: Running, work: () => Promise<void>): Promise<void> {
  signalEngines(running, 'SIGSTOP');
  try {
    await work();
  } finally {
    signalEngines(running, 'SIGCONT');
  }
}

/** A report that a worker of another process gathers, and holds. */
export async function claimedElsewhere(running: Running): Promise<string> {
  const { ledger } = running.service.stores;
  const guid = randomUUID();
  const plan = { span: 'day', startDate: 20260310, endDate: 20260310, aggregate: 'DAY' } as const;
  const adding = ledger.addReport({
    guid,
    group: 'g',
    clientId: 'c',
    kind: 'metrics',
    dialect: 'reference',
    createdAt: NOW,
    plan: { ...plan, groups: [], restaurantIds: [1] },
    request: { path: '/metrics/day', body: DAY },
    cost: 5,
    lane: 'short' as const,
    expiresAt: NOW + 86_400_000,
  });
  // In one turn, before the service's own worker looks.
  const claimed = await claimOne(ledger, 'elsewhere', NOW, NOW + 3_600_000);
  await adding;
  assert.equal(claimed?.guid, guid);
  return guid;
}

/**
 * Resolves once a retrieval or a stream of events waits for each of the reports, on any node: once a second the ledger
 * is asked for those that are waited for. Call it when they were sent.
 */
export async function untilWaitedFor({ service }: Pick<Running, 'service'>, ...guids: string[]): Promise<void> {
  const missing = new Set(guids);
  const all = Promise.withResolvers<void>();
  const ledgers = nodesOf(service).map(({ stores }) => stores.ledger);
  const asks = ledgers.map((ledger) => {
    const { reportStates } = ledger;
    ledger.reportStates = (wanted) => {
      for (const guid of wanted) missing.delete(guid);
      if (missing.size === 0) all.resolve();
      return reportStates(wanted);
    };
    return reportStates;
  });
  await all.promise;
  for (const [index, reportStates] of asks.entries()) Object.assign(ledgers[index] ?? {}, { reportStates });
}

interface Asked {
  port: number;
  token: string;
  paths: string[];
}
export interface Woken {
  path: string;
  status: number;
  /** When the first byte was there, milliseconds since 1970 with decimals. */
  at: number;
}

/** Now, on a clock that processes of one machine share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/**
 * Clients in a process of their own, so that reading a thousand answers does not hold up the service that sends them.
 * Sends all requests and resolves once they are sent; `answers` resolves when every one has been answered.
 */
export async function holdMany(request: Asked): Promise<{ answers: Promise<Woken[]>; stop(): void }> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['waiters'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  child.send(request);
  await once(child, 'message');
  const answers = once(child, 'message').then(([woken]) => woken as Woken[]);
  return { answers, stop: () => void child.kill() };
}

function hold({ port, token, paths }: Asked): void {
  const woken: Woken[] = [];
  let sent = 0;
  for (const path of paths) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: wait=30\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        () => {
          if (++sent === paths.length) process.send?.('sent');
        },
      );
    });
    socket.once('data', (chunk) => {
      woken.push({ path, status: Number(chunk.toString('latin1', 9, 12)), at: sharedNow() });
      socket.destroy();
      if (woken.length === paths.length) process.send?.(woken, () => process.disconnect());
    });
  }
}

if (process.argv[2] === 'waiters') process.once('message', (request) => hold(request as Asked));
