import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import { negotiate } from './negotiate.ts';

const formatFor = (accept: string | undefined, format?: unknown) => negotiate(format, { accept }).format;
const codingsFor = (header: string | undefined) =>
  negotiate(undefined, { 'accept-encoding': header }).codings.join(' ');
const refused = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code;

describe('the form of an answer', () => {
  it('is what Accept likes best, the most specific range deciding', () => {
    assert.equal(formatFor(undefined), 'json');
    assert.equal(formatFor(''), 'json');
    assert.equal(formatFor(' , ,'), 'json');
    assert.equal(formatFor('*/*'), 'json');
    assert.equal(formatFor('application/json, text/plain, */*'), 'json');
    assert.equal(formatFor('text/html, application/*;q=0.1'), 'json');
    assert.equal(formatFor('Text/CSV'), 'csv');
    assert.equal(formatFor('text/*'), 'csv');
    assert.equal(formatFor('application/json;q=0.2, text/csv;q=0.8'), 'csv');
    assert.equal(formatFor('text/csv, application/json'), 'csv');
    assert.equal(formatFor('application/json;q=0, */*'), 'ndjson');
    assert.equal(formatFor('application/vnd.apache.parquet, */*;q=0.1'), 'parquet');
  });

  it('does not hang on parameters', () => {
    assert.equal(formatFor('application/json; charset=utf-8'), 'json');
    assert.equal(formatFor('text/csv;header="present, always";q=0.5, application/json;charset=x;q=0.1'), 'csv');
    assert.equal(formatFor('application/json;charset=utf-8;q=0, text/csv;q=0.1'), 'csv');
    assert.equal(formatFor('application/json;profile="say \\"hi\\", text/csv"'), 'json');
  });

  it('is refused if Accept allows none', () => {
    for (const accept of ['image/png', 'application/xml, text/html', 'application/json;q=0', '*/*;q=0', 'nonsense']) {
      assert.throws(() => formatFor(accept), refused('not_acceptable'), accept);
    }
  });

  it('is not remembered for a header that is only written like a missing one', () => {
    assert.equal(formatFor(undefined, 'csv'), 'csv');
    assert.equal(formatFor('undefined', 'csv'), 'csv');
    assert.equal(formatFor(undefined, undefined), 'json');
    assert.equal(codingsFor('gzip, identity;q=0'), 'gzip');
    assert.throws(
      () => negotiate('undefined', { 'accept-encoding': 'gzip, identity;q=0' }),
      refused('invalid_parameter'),
    );
  });

  it('is the format in the query, regardless of Accept', () => {
    assert.equal(formatFor('application/json', 'csv'), 'csv');
    assert.equal(formatFor('image/png', 'parquet'), 'parquet');
    for (const format of ['CSV', '', 'xml', ['csv', 'csv'], 'constructor']) {
      assert.throws(() => formatFor(undefined, format), refused('invalid_parameter'), String(format));
    }
  });
});

describe('the content encoding of an answer', () => {
  it('is identity unless another is requested', () => {
    assert.equal(codingsFor(undefined), 'identity');
    assert.equal(codingsFor(''), 'identity');
    assert.equal(codingsFor('deflate'), 'identity');
    assert.equal(codingsFor('gzip;q=0'), 'identity');
  });

  it('follows quality values, and our order between equals', () => {
    assert.equal(codingsFor('gzip, deflate'), 'gzip identity');
    assert.equal(codingsFor('gzip, deflate, br, zstd'), 'zstd br gzip identity');
    assert.equal(codingsFor('br;q=0.5, GZIP;q=0.8'), 'gzip br identity');
    assert.equal(codingsFor('zstd;q=0.1, identity;q=0.5, gzip'), 'gzip identity zstd');
    assert.equal(codingsFor('gzip, *;q=0'), 'gzip');
    assert.equal(codingsFor('identity;q=0, *'), 'gzip br zstd');
    assert.equal(codingsFor('gzip;q=0.5, *;q=0.1'), 'gzip identity br zstd');
  });

  it('is gzip if only * allows it, and one that is named before those that are not', () => {
    assert.equal(codingsFor('*'), 'gzip identity br zstd');
    assert.equal(codingsFor('*;q=0.1'), 'gzip identity br zstd');
    assert.equal(codingsFor('gzip;q=0, *'), 'identity br zstd');
    assert.equal(codingsFor('zstd, *'), 'zstd gzip identity br');
    assert.equal(codingsFor('identity, *'), 'identity gzip br zstd');
    assert.equal(codingsFor('*, ZSTD;q=0, identity;q=0.5'), 'gzip br identity');
    assert.equal(codingsFor('br;q=0.2, *;q=0.8'), 'gzip identity zstd br');
    assert.equal(codingsFor('X-Gzip'), 'gzip identity');
    assert.throws(() => codingsFor('*;q=0'), refused('not_acceptable'));
  });

  it('is refused if no available coding is accepted', () => {
    for (const header of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
      assert.throws(() => codingsFor(header), refused('not_acceptable'), header);
    }
    const parquet = { 'accept-encoding': 'gzip, identity;q=0' };
    assert.throws(() => negotiate('parquet', parquet), refused('not_acceptable'));
    assert.deepEqual(negotiate('parquet', { 'accept-encoding': 'gzip, br' }).codings, ['identity']);
  });
});
