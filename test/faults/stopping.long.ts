/** A stop under load: clients with open connections are asked to close them, and lose no request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, stop } from '../commands/process.ts';
import { startJourney } from '../journeys/service.ts';
import { claimedElsewhere, untilWaitedFor } from '../journeys/waiters.ts';

/** Connections that call without a break. */
const BUSY = 50;
/** Connections that are idle when the service is stopped, and make one call afterwards. */
const IDLE = 200;
/** The service drains for so long, and requests are sent for a third of it: a slow machine must not make them late. */
const DRAIN_SECONDS = 6;
const SENDING_MS = 2000;

interface Answered {
  status: number | undefined;
  connection: string | undefined;
}

/** One GET over the agent's connection. Rejects when the connection breaks. */
async function get(url: string, agent: Agent): Promise<Answered> {
  const call = request(url, { agent }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, connection: answer.headers.connection };
}

it('answers every request that is sent over kept connections while it drains, and asks to close them', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-stopping-'));
  const { child, base } = await serve(['--data', data], { DAYPART_DRAIN_SECONDS: String(DRAIN_SECONDS) });
  const agents = Array.from({ length: BUSY + IDLE }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  t.after(async () => {
    for (const agent of agents) agent.destroy();
    await stop(child, 'SIGKILL');
    await rm(data, { recursive: true });
  });
  const url = `${new URL(base).origin}/version`;
  const before = await Promise.all(agents.map((agent) => get(url, agent)));
  const [busy, idle] = [agents.slice(0, BUSY), agents.slice(BUSY)];
  let told = false;
  const stopped = sleep(200).then(() => {
    told = true;
    child.kill('SIGTERM');
    return sleep(SENDING_MS);
  });
  let sending = true;
  const answers: Answered[] = [];
  const broken: unknown[] = [];
  const ask = (agent: Agent) =>
    get(url, agent).then(
      (answer) => told && answers.push(answer),
      (error) => broken.push(error),
    );

  await Promise.all([
    stopped.then(() => {
      sending = false;
    }),
    ...busy.map(async (agent) => {
      while (sending) await ask(agent);
    }),
    ...idle.map(async (agent, i) => {
      await sleep(200 + (SENDING_MS * i) / IDLE);
      await ask(agent);
    }),
  ]);

  assert.deepEqual(new Set(before.map(({ connection }) => connection)), new Set(['keep-alive']));
  assert.deepEqual(broken, []);
  assert.ok(answers.length >= IDLE, `${answers.length} requests were answered while it stopped`);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  // Those that were on their way when the signal came may have had their answer before it.
  const kept = answers.filter(({ connection }) => connection !== 'close').length;
  assert.ok(kept <= 10 * BUSY, `${kept} answers did not close their connection`);
  t.diagnostic(`${answers.length} requests after SIGTERM, none failed`);
  assert.equal(await stop(child), 0);
});

it('answers all requests in progress on a connection, and closes it with the last', async (t) => {
  const running = await startJourney();
  const token = await running.login('g');
  const path = `/v1/metrics/${await claimedElsewhere(running)}`;
  const held = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nPrefer: wait=30\r\n\r\n`;
  const socket = connect(Number(new URL(running.service.origin).port), '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(socket, 'end');
  socket.write(held + held);
  await untilWaitedFor(running, path.slice(-36));

  await running.stop();
  await ended;

  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d+)|\r\nconnection: ([\w-]+)/gi)].map(
      ([, status, connection]) => status ?? connection,
    ),
    ['202', 'keep-alive', '202', 'close'],
  );
});
