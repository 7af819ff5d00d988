import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashGenerated, hashSecret, NO_SECRET, newClientId, newSecret, verifySecret } from './secrets.ts';

describe('client secrets', () => {
  it('are 32 random bytes, and ids say that they are clients', () => {
    assert.match(newSecret(), /^[\w-]{43}$/);
    assert.match(newClientId(), /^client-[0-9a-f]{12}$/);
    assert.notEqual(newSecret(), newSecret());
    assert.notEqual(newClientId(), newClientId());
  });

  it('that the service made are kept as scrypt hashes of the least cost, each with a salt of its own', async () => {
    const secret = newSecret();
    const [first, second] = [hashGenerated(secret), hashGenerated(secret)];

    assert.match(first, /^scrypt\$2\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(first, second);
    assert.equal(await verifySecret(secret, first), true);
    assert.equal(await verifySecret(newSecret(), first), false);
    assert.equal(await verifySecret('', first), false);
  });

  it('that a person chose are kept as scrypt hashes of a high cost, each with a salt of its own', async () => {
    const [first, second] = [await hashSecret('open sesame'), await hashSecret('open sesame')];

    assert.match(first, /^scrypt\$16384\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(first, second);
    assert.ok(!first.includes('sesame'));
  });

  it('verify only against their own hash, for any text', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (secret, other) => {
        const hash = await hashSecret(secret);
        assert.equal(await verifySecret(secret, hash), true);
        assert.equal(await verifySecret(other, hash), other === secret);
      }),
      { numRuns: 5 },
    ));

  it('never match the hash that stands for an unknown client', async () => {
    assert.equal(await verifySecret('', NO_SECRET), false);
    assert.equal(await verifySecret(newSecret(), NO_SECRET), false);
  });

  it('are refused loudly when the stored hash is damaged', () =>
    assert.rejects(verifySecret('x', 'md5$1$a$b'), /cannot be read/));
});
