import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datesIn, periodsOf, readView, titleOf, writeView } from './view.ts';

describe('the address', () => {
  it('holds the whole view, without defaults', () => {
    const search = '?d=2026-11-20&span=28&vs=year&cur=EUR&sort=-orders&q=bistro';
    const { view, notices } = readView(search);

    assert.deepEqual(notices, []);
    assert.equal(writeView('', view), search);
    assert.equal(
      writeView(search, { d: undefined, span: 'day', vs: 'weekday', cur: undefined, sort: undefined, q: '' }),
      '',
    );
  });

  it('keeps parameters that are not of the view', () => {
    assert.equal(writeView('?m=net', { span: '7' }), '?m=net&span=7');
  });

  it('gives other screens the dates, not the order and the search', () => {
    assert.equal(datesIn('?d=2026-11-20&sort=-open&q=bistro&m=net&vs=year'), '?d=2026-11-20&vs=year');
    assert.equal(datesIn('?q=bistro'), '');
  });

  it('that is broken falls back to the default with a notice', () => {
    const broken = readView('?d=2026-02-30&span=fortnight&vs=friends');
    assert.equal(broken.notices.length, 3);
    assert.deepEqual([broken.view.d, broken.view.span, broken.view.vs], [undefined, 'day', 'weekday']);
    for (const search of [
      '?span=custom',
      '?span=custom&from=2026-11-20&to=2026-11-01',
      '?span=custom&from=2020-01-01&to=2026-01-01',
    ])
      assert.deepEqual([readView(search).view.span, readView(search).notices.length], ['day', 1], search);
  });

  it('is checked against what its screen knows, and keeps the part that it knows', () => {
    const known = { m: [{ value: 'net' }], cur: ['USD'], sort: ['net'], r: ['one', 'two'] };
    assert.deepEqual(readView('?m=net&cur=USD&sort=-net&r=one,two', known).notices, []);
    assert.deepEqual(readView('?m=&cur=&sort=&r=', known).notices, []);

    const { view, notices, parameters } = readView('?m=gross&cur=usd&sort=-name&r=one,three', known);
    assert.deepEqual(notices, [
      'The address has an unknown value for m, so the default is shown.',
      'The address has an unknown value for cur, so the default is shown.',
      'The address has an unknown value for sort, so the default is shown.',
      'The address has an unknown value for r, so it is left out.',
    ]);
    assert.deepEqual([view.cur, view.sort, String(parameters)], [undefined, undefined, 'r=one%2Cthree']);
  });

  it('has no date after today', () => {
    const today = '20261120';
    const read = (search: string) => readView(search, {}, today);
    assert.deepEqual([read('?d=2026-11-20').view.d, read('?d=2026-11-20').notices], [today, []]);
    assert.deepEqual(read('?span=custom&from=2026-11-19&to=2026-11-20').notices, []);
    for (const search of ['?d=2026-11-21', '?span=custom&from=2026-11-19&to=2026-11-21']) {
      const { view, notices } = read(search);
      assert.deepEqual(notices, ['The address has a date in the future, so the latest is shown.']);
      assert.deepEqual([view.d, view.span, view.custom], [undefined, 'day', undefined]);
    }
  });

  it('without a date means the latest, today and tomorrow', () => {
    const { view } = readView('?span=7');
    assert.deepEqual(periodsOf(view, '20261120').period, { start: '20261114', end: '20261120' });
    assert.deepEqual(periodsOf(view, '20261121').period, { start: '20261115', end: '20261121' });
  });
});

describe('the heading of a period', () => {
  it('has the year of both dates if they are of two years', () => {
    assert.match(titleOf({ start: '20251125', end: '20261124' }), /2025.* to .*2026/);
    assert.doesNotMatch(titleOf({ start: '20261024', end: '20261120' }), /2026.* to /);
    assert.match(titleOf({ start: '20261024', end: '20261120' }), /2026/);
  });
});
