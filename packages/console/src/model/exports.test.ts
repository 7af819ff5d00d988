import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDays } from './exports.ts';

const dropped = (...paths: string[]) => paths.map((path) => ({ path, size: 10, file: path }));

describe('a dropped folder', () => {
  it('has the dates of its folders, with the files of each and those that are missing', () => {
    const { days, twice } = findDays(
      dropped(
        'exports/185129/20260311/OrderDetails.csv',
        'exports/185129/20260310/orderdetails.csv',
        'exports/185129/20260310/TimeEntries.csv',
        'exports/185129/20260310/MenuExport_185129.json',
        'exports/185129/20260310/notes.txt',
      ),
    );

    assert.deepEqual(
      days.map(({ date, files, bytes }) => [date, files.length, bytes]),
      [
        ['20260310', 3, 30],
        ['20260311', 1, 10],
      ],
    );
    assert.deepEqual(days[0]?.missing, [
      'CheckDetails.csv',
      'PaymentDetails.csv',
      'ItemSelectionDetails.csv',
      'ModifiersSelectionDetails.csv',
    ]);
    assert.deepEqual(twice, []);
  });

  it('of one day is that day', () => {
    assert.deepEqual(
      findDays(dropped('20260310/OrderDetails.csv')).days.map(({ date }) => date),
      ['20260310'],
    );
  });

  it('with two folders of one date says so: they are of two locations', () => {
    const { twice } = findDays(dropped('a/1/20260310/OrderDetails.csv', 'a/2/20260310/OrderDetails.csv'));
    assert.deepEqual(twice, ['20260310']);
  });

  it('names the folders with an export whose date their names do not say, and sends nothing of them', () => {
    const { days, strays } = findDays(
      dropped(
        'exports/20261399/OrderDetails.csv',
        'exports/2026-03-11/OrderDetails.csv',
        'exports/20260312 (1)/TimeEntries.csv',
        'exports/photos/beach.jpg',
        'exports/20260310/OrderDetails.csv',
        'exports/20260310/old/OrderDetails.csv',
        'exports/__MACOSX/20260310/OrderDetails.csv',
      ),
    );
    assert.deepEqual(
      days.map(({ date, files }) => [date, files.length]),
      [['20260310', 1]],
    );
    assert.deepEqual(strays, ['exports/2026-03-11', 'exports/20260312 (1)', 'exports/20261399']);
  });

  it('without an export has no days', () => {
    assert.deepEqual(findDays(dropped('holiday/photo.jpg', 'OrderDetails.csv')).days, []);
  });
});
