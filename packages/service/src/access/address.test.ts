import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { addressBlocks } from '../config/setting.ts';
import { addressOf, networkOf } from './address.ts';

const from = (remoteAddress: string, forwarded?: string): Pick<FastifyRequest, 'socket' | 'headers'> => ({
  socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }),
  headers: { 'x-forwarded-for': forwarded },
});

describe('the address of a caller', () => {
  it('is the address of its connection, regardless of its headers', () => {
    assert.equal(addressOf(from('192.0.2.7', '198.51.100.1'), addressBlocks('')), '192.0.2.7');
    assert.equal(addressOf(from('192.0.2.7', '198.51.100.1'), addressBlocks('10.0.0.0/8')), '192.0.2.7');
  });

  it('is the last one that a trusted proxy names and that is no trusted proxy', () => {
    const proxies = addressBlocks('10.0.0.0/8, ::1, 192.0.2.1');

    assert.equal(addressOf(from('10.1.2.3', '198.51.100.1'), proxies), '198.51.100.1');
    assert.equal(addressOf(from('::1', '203.0.113.9, 198.51.100.1, 10.9.9.9'), proxies), '198.51.100.1');
    assert.equal(addressOf(from('::ffff:10.1.2.3', '2001:db8::1'), proxies), '2001:db8::1');
    assert.equal(addressOf(from('10.1.2.3'), proxies), '10.1.2.3');
    assert.equal(addressOf(from('10.1.2.3', 'unknown, 10.0.0.2'), proxies), '10.0.0.2');
  });

  it('is counted alone in IPv4, and by its /64 in IPv6', () => {
    assert.equal(networkOf('::ffff:192.0.2.7'), networkOf('192.0.2.7'));
    assert.notEqual(networkOf('192.0.2.8'), networkOf('192.0.2.7'));
    assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff::9'));
    assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'));
    assert.equal(networkOf(''), '');
  });

  it('texts that are not blocks are refused', () => {
    for (const text of ['10.0.0.0/33', 'proxy', '10.0.0.0/8/8', '::1/129', '1.2.3.4/'])
      assert.throws(() => addressBlocks(text), /must be addresses or blocks/, text);
  });
});
