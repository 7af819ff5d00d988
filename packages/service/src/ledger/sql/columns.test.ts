import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columns, flag, json } from './columns.ts';

interface Table {
  seats: number;
  isOpen: boolean;
  guests: string[] | null;
}

const tables = columns<Table>({ seats: 'seat_count', isOpen: flag('is_open'), guests: json('guests') });

describe('the columns of a table', () => {
  it('are read from a row, and written from the properties that there are', () => {
    const table = { seats: 4, isOpen: true, guests: ['Ada'] };
    const row = { seat_count: 4, is_open: 1, guests: '["Ada"]', more: 1 };
    assert.deepEqual(tables.read(row), table);
    assert.deepEqual(tables.values(table), { seats: 4, isOpen: 1, guests: '["Ada"]' });
    assert.deepEqual(tables.values({ guests: null }), { guests: null });
    assert.equal(tables.readOne(undefined), undefined);
  });

  it('are not read from a row that lacks one', () => {
    assert.throws(() => tables.read({ seat_count: 4, is_open: 0 }), {
      message: 'a row of the ledger lacks the column guests',
    });
  });
});
