/**
 * A data folder that is removed, replaced or moved away under a running service: it acknowledges nothing more, says
 * why, and ends.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { callsTo, ended, RESTAURANT, startOn } from './service-on.ts';

/** What is done to the folder, and what the line of the service says of it. */
const LOSSES: Record<string, { lose: (data: string) => void; says: RegExp }> = {
  // A removal takes a while: what goes first may be noticed before the folder has gone.
  'is removed': { lose: (data) => rmSync(data, { recursive: true }), says: /was removed or moved away/ },
  'is moved away': { lose: (data) => renameSync(data, `${data}.away`), says: /it was removed or moved away/ },
  'is in a folder that is moved away': {
    lose: (data) => renameSync(join(data, '..'), join(data, '..', '..', 'other')),
    says: /it was removed or moved away/,
  },
  'is replaced by a copy': {
    lose(data) {
      cpSync(data, `${data}.copy`, { recursive: true });
      renameSync(data, `${data}.away`);
      renameSync(`${data}.copy`, data);
    },
    says: /it was replaced/,
  },
  'loses its ledger': {
    lose: (data) => rmSync(join(data, 'ledger.sqlite')),
    says: /ledger\.sqlite was removed or moved away/,
  },
  'loses the journal of its ledger': {
    lose: (data) => rmSync(join(data, 'ledger.sqlite-wal')),
    says: /ledger\.sqlite-wal was removed or moved away/,
  },
  'gets another ledger': {
    lose(data) {
      cpSync(join(data, 'ledger.sqlite'), join(data, 'copy'));
      renameSync(join(data, 'copy'), join(data, 'ledger.sqlite'));
    },
    says: /ledger\.sqlite was replaced/,
  },
  'loses its facts': {
    lose: (data) => rmSync(join(data, 'facts'), { recursive: true }),
    says: /facts\/facts\.duckdb was removed or moved away/,
  },
  'loses its results': {
    lose: (data) => rmSync(join(data, 'results'), { recursive: true }),
    says: /results was removed or moved away/,
  },
};

/** The exit code of a process, and what it has written to standard error. */
async function ending(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, err };
}

describe('a service whose data folder', () => {
  for (const [what, { lose, says }] of Object.entries(LOSSES)) {
    it(`${what} acknowledges no write, fails its probe, and ends with one line`, async (t) => {
      const above = mkdtempSync(join(tmpdir(), 'daypart-lost-'));
      const data = join(above, 'parent', 'data');
      mkdirSync(join(above, 'parent'));
      const { child, base, origin } = await startOn(data);
      t.after(async () => {
        await ended(child);
        rmSync(above, { recursive: true });
      });
      const call = await callsTo(base);
      const end = ending(child);
      await call('PUT', `/restaurants/${RESTAURANT}`, { name: 'A', timeZone: 'UTC' });

      lose(data);
      // On a busy machine the process may end before it has answered.
      const answers = await Promise.allSettled([
        call('POST', '/metrics/day', { startBusinessDate: '20260310' }),
        fetch(`${origin}/livez`).then(async (alive) => ({ status: alive.status, body: await alive.json() })),
      ]);

      for (const answer of answers)
        if (answer.status === 'fulfilled')
          assert.deepEqual([answer.value.status, answer.value.body.code], [503, 'storage_lost']);
      const { code, err } = await end;
      assert.equal(code, 1);
      const lines = err.split('\n').filter((line) => line.startsWith('daypart: '));
      assert.equal(lines.length, 1, err);
      assert.match(lines[0] ?? '', says);
      if (what === 'is removed') assert.equal(existsSync(data), false);
    });
  }

  it('is removed while nobody calls it ends, too', async (t) => {
    const above = mkdtempSync(join(tmpdir(), 'daypart-lost-'));
    const data = join(above, 'data');
    const { child } = await startOn(data);
    t.after(async () => {
      await ended(child);
      rmSync(above, { recursive: true });
    });
    const end = ending(child);

    rmSync(data, { recursive: true });

    assert.equal((await end).code, 1);
  });
});
