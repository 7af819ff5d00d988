import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverAddress } from './store-address.ts';

describe('the address of ClickHouse', () => {
  it('names one host or several, a database, and a cluster', () => {
    assert.deepEqual(serverAddress('clickhouse://ch'), {
      url: ['http://ch:8123/'],
      database: 'default',
      cluster: undefined,
    });
    assert.deepEqual(serverAddress('clickhouse://me:p%40ss@h1,h2:9123,[::1]/facts?cluster=main-1&secure=true'), {
      url: ['https://me:p%40ss@h1:8443/', 'https://me:p%40ss@h2:9123/', 'https://me:p%40ss@[::1]:8443/'],
      database: 'facts',
      cluster: 'main-1',
    });
  });

  it('is refused if it is wrong, in a message without its password', () => {
    for (const [text, fault] of [
      ['ch:8123/facts', /must be an address/],
      ['postgres://ch/facts', /must be an address/],
      ['clickhouse://u:secret@h1,/facts', /must have hosts/],
      ['clickhouse://u:secret@h1:port/facts', /must have hosts/],
      ['clickhouse://u:secret@ch/two words', /a database, not two words/],
      ['clickhouse://u:secret@ch/facts?quorum=2', /unknown parameter quorum/],
      ['clickhouse://u:secret@ch/facts?secure=yes', /secure=true or/],
      ["clickhouse://u:secret@ch/facts?cluster=a'b", /a cluster, not a'b/],
    ] as const)
      assert.throws(
        () => serverAddress(text),
        (error: Error) => fault.test(error.message) && !error.message.includes('secret'),
        text,
      );
  });
});
