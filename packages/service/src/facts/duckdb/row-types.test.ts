import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadStatementsAndParts } from '../../storage/sql.ts';
import { ROW_TYPES, rowOf, rowsOf } from './row-types.ts';

const FOLDERS = [new URL('./', import.meta.url), new URL('./families/', import.meta.url)];

const statements = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && name !== 'schema.sql')
    .flatMap((name) => Object.entries(loadStatementsAndParts(new URL(name, folder)).statements)),
);

describe('the row types of the statements', () => {
  it('are of every statement that answers rows, and of no other', () => {
    const answering = statements.filter(([, { answers }]) => answers !== 'exec').map(([name]) => name);
    assert.deepEqual(Object.keys(ROW_TYPES).sort(), [...new Set(answering)].sort());
  });

  it('read BIGINT as a number, and null if a column may be null', () => {
    const days = { business_date: 20260310, orders: 2n, checks: 3n, time_entries: 0n, has_details: true };
    assert.deepEqual(rowsOf('loadedDays', [{ ...days, loaded_at: null }]), [
      { ...days, orders: 2, checks: 3, time_entries: 0, loaded_at: null },
    ]);
  });

  it('refuse a value of another type, and name its column', () => {
    assert.throws(() => rowsOf('identity', [{ id: 'a', epoch: 7 }]), /^TypeError: column epoch: 7 is not a text$/);
    assert.throws(() => rowsOf('counts', [{ accepted: 2n ** 60n, unchanged: 0n, load: 1n }]), /column accepted/);
  });

  it('refuse a column that is missing or not declared, and name it', () => {
    assert.throws(() => rowsOf('identity', [{ id: 'a' }]), /^TypeError: column epoch is missing$/);
    assert.throws(() => rowsOf('loaded', [{}]), /^TypeError: column restaurant_id is missing$/);
    assert.throws(
      () => rowsOf('identity', [{ id: 'a', epoch: 'b', told: 7 }]),
      /^TypeError: column told is not declared$/,
    );
  });

  it('say which statement returned no row although it must return one', () => {
    assert.throws(() => rowOf('highest', []), /^Error: statement highest answered no row$/);
  });
});
