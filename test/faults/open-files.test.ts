/** An import while no more files can be opened: the limit of the process is lowered below what it has open. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BISTRO, putRestaurant, spooled, startJourney } from '../journeys/service.ts';

const DAY = fileURLToPath(new URL('../golden/plain-day/20260310', import.meta.url));

/** The soft limit of open files of this process. */
const limitNow = (): string => /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
/** The lowest number that no open file has: with it as the limit, none can be opened. */
function lowestFree(): number {
  const open = new Set(readdirSync('/proc/self/fd').map(Number));
  for (let file = 0; ; file++) if (!open.has(file)) return file;
}

it('is answered 503, leaves nothing behind, and succeeds once files can be opened again', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const running = await startJourney();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = limitNow();
  // Started before: a process that is started at the limit would need files itself.
  const shell = spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const setLimit = async (files: number | string): Promise<void> => {
    shell.stdin.write(`prlimit --pid ${process.pid} --nofile=${files}: && echo done\n`);
    await once(shell.stdout, 'data');
  };
  t.after(async () => {
    await setLimit(before);
    shell.stdin.end();
    agent.destroy();
    await running.stop();
  });
  const token = await running.login('group');
  await putRestaurant(running, token, BISTRO);
  const form = new FormData();
  for (const name of readdirSync(DAY)) form.append('f', new Blob([readFileSync(join(DAY, name))]), name);
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type') ?? '';
  /** On one connection, because a new one would need a file. */
  const post = async (): Promise<{ status: number; code?: string }> => {
    const url = `${running.service.baseUrl}/restaurants/${BISTRO}/exports/20260310`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': body.length };
    const sent = request(url, { method: 'POST', agent, headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const piece of answer) text += piece;
    return { status: answer.statusCode, ...JSON.parse(text) };
  };
  assert.equal((await post()).status, 200);

  // One file may be opened, then two, and so on: it fails at another place each time.
  for (let more = 0; more < 4; more++) {
    await setLimit(lowestFree() + more);
    const { status, code } = await post().finally(() => setLimit(before));
    assert.deepEqual([status, code], [503, 'unavailable'], `${more} more`);
    while ((await spooled(running)).length > 0) await setTimeout(20);
  }
  assert.equal((await post()).status, 200);
});
