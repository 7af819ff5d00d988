import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublic, lookupPublic, NotPublic, readPublicUrl } from './public-address.ts';

const PRIVATE =
  '127.0.0.1 127.255.0.1 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 192.0.0.1 192.0.2.1 ' +
  '168.63.129.16 ::ffff:168.63.129.16 192.0.0.192 100.100.100.200 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ' +
  '::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 ' +
  '4000::1 5f00::1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 nonsense';

describe('the address that a client gave', () => {
  it('is public only if anybody could call it', () => {
    for (const address of PRIVATE.split(' ')) assert.equal(isPublic(address), false, address);
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])
      assert.equal(isPublic(address), true, address);
  });

  it('is refused as a URL however a private address is written', () => {
    for (const url of [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://0x7f000001/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://127.0.0.1./',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a00:1]/',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://a.localhost/',
      'https://169.254.169.254/latest/meta-data',
      'https://user:word@example.com/',
      'https://example.com/#fragment',
      'ftp://example.com/',
      '/hook',
      '',
      `https://example.com/${'a'.repeat(2048)}`,
      undefined,
      7,
    ]) {
      assert.throws(() => readPublicUrl(url, false), { code: 'invalid_body' }, String(url));
    }
    assert.equal(readPublicUrl('https://Example.com/hook?a=1', false).href, 'https://example.com/hook?a=1');
    assert.equal(readPublicUrl('http://127.0.0.1:81/', true).href, 'http://127.0.0.1:81/');
    assert.throws(() => readPublicUrl('ftp://127.0.0.1/', true), { code: 'invalid_body' });
  });

  it('is not connected to if its name resolves to a private address, or to none', async () => {
    for (const name of ['localhost', 'no-such-name.invalid']) {
      const refused = await new Promise((resolve) => lookupPublic(name, { all: true }, resolve));

      assert.ok(refused instanceof NotPublic, name);
    }
  });
});
