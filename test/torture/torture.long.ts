/** Each torture for a short time; `npm run torture -- kills 300` runs one for long. */
import { it } from 'node:test';
import { kills } from './kills.ts';
import { restore } from './restore.ts';

const linux = process.platform !== 'linux' && 'the processes are found in /proc';

it('loses and doubles nothing when engine and service are killed under load', { skip: linux }, async (t) => {
  t.diagnostic(await kills(2, () => undefined));
});

it('restores from a backup what was there', { skip: linux }, async (t) => {
  t.diagnostic(await restore(1, () => undefined));
});
