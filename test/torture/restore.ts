/** Backups of a service during trade: what is restored from each equals what was there. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, serve, stop, tokenOf } from '../commands/process.ts';
import { call, insist, RESTAURANT, read, startTrade, type Target, type Trade } from './load.ts';
import { openSubject } from './subject.ts';

const DATE = { startBusinessDate: '20260310' };

/** Every report that was acknowledged, and what is computed from the facts now. */
async function stateOf(target: Target, trade: Trade): Promise<Map<string, string>> {
  const state = new Map<string, string>();
  for (const guid of trade.reports.keys()) state.set(guid, await read(target, `/metrics/${guid}`));
  for (const kind of ['metrics', 'check']) {
    const guid = JSON.parse(await insist(() => target, trade, 'POST', `/${kind}/day`, DATE)) as string;
    state.set(kind, await read(target, `/${kind}/${guid}`));
  }
  state.set('restaurant', (await call(target, 'GET', `/restaurants/${RESTAURANT}`)).text);
  return state;
}

async function backUp(data: string, to: string): Promise<void> {
  const { code, err } = await run(['backup', to, '--data', data]);
  if (code !== 0) throw new Error(`the backup failed: ${err}`);
}

/** Makes so many backups and restores each. Throws where anything differs. */
export async function restore(times: number, tell: (line: string) => void): Promise<string> {
  const subject = await openSubject();
  const folder = await mkdtemp(join(tmpdir(), 'daypart-restore-'));
  let compared = 0;
  try {
    for (let round = 1; round <= times; round++) {
      const trade = startTrade(subject.target);
      await sleep(3000);
      // One beside the trade, which must be whole, and one at rest, which must be the same.
      await backUp(subject.data, join(folder, `${round}-trading`));
      await trade.stop();
      const before = await stateOf(subject.target(), trade);
      await backUp(subject.data, join(folder, `${round}-resting`));
      for (const name of [`${round}-trading`, `${round}-resting`]) {
        const data = join(folder, `${name}-restored`);
        const { code, err } = await run(['restore', join(folder, name), '--data', data]);
        if (code !== 0) throw new Error(`the restore failed: ${err}`);
        const copy = await serve(['--data', data]);
        try {
          const { access_token: token } = (await (await tokenOf(copy.base, 'me', 'secret')).json()) as {
            access_token: string;
          };
          const verified = await run(['facts', 'verify', '--data', data]);
          if (verified.code !== 0) throw new Error(`the restored facts are not sound: ${verified.out} ${verified.err}`);
          if (name.endsWith('trading')) continue;
          const after = await stateOf({ base: copy.base, token }, trade);
          for (const [what, text] of before)
            if (after.get(what) !== text) throw new Error(`${what} differs after the restore`);
          compared += before.size;
        } finally {
          await stop(copy.child);
        }
      }
      if (trade.wrong.length > 0) throw new Error(trade.wrong.join('; '));
      tell(`${round} of ${times}: ${compared} reports compared`);
    }
    return `${times} backups beside trade and ${times} at rest restored, sound, and ${compared} reports the same byte for byte`;
  } finally {
    await subject.close();
    await rm(folder, { recursive: true, force: true });
  }
}
