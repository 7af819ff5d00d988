/** An external issuer of access tokens: a key, the address where it is published, and what it signs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const ISSUER = 'https://login.example.com/';
export const AUDIENCE = 'reports';

export interface Issuer {
  /** Where the keys are. */
  jwksUrl: string;
  jwk: JWK;
  /** Signs exactly these claims. */
  sign(claims: Record<string, unknown>, options?: { typ?: string; kid?: string; signer?: CryptoKey }): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const kid = 'external-1';
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' };
  const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    jwk,
    sign: (claims, { signer = privateKey, ...header } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(signer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
