/** Access tokens of an external issuer (docs/access.md#tokens-of-an-external-issuer). */

import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Config, flagOf, SettingError, type SettingName } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { isGroupName, SCOPE_GROUPS } from '../contract/words.ts';
import type { ClientLedger } from '../ledger/client.ts';
import { invalidToken, LEEWAY_SECONDS, type Verified } from './verified.ts';

export type ExternalIssuerConfig = Pick<
  Config,
  'externalIssuer' | 'externalAudience' | 'externalJwksUrl' | 'externalGroupClaim' | 'externalGroupsAdmin'
>;

/** Asymmetric algorithms only: with a symmetric one, the public key could be misused as a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Prefix of the ids of an external issuer's clients, so that none equals the id of a client of this service. Reports,
 * webhooks and idempotency keys are stored with it, and answers contain it, so it still has the word that the settings
 * once had.
 */
const CLIENT_PREFIX = 'outside:';

const NEEDED = ['externalIssuer', 'externalAudience', 'externalJwksUrl'] as const satisfies SettingName[];

/** Throws SettingError naming the missing settings if an external issuer is configured only in part. */
export function checkExternalIssuer(config: ExternalIssuerConfig): void {
  const missing = NEEDED.filter((name) => config[name] === undefined);
  if (missing.length === 0 || missing.length === NEEDED.length) return;
  throw new SettingError(`an external issuer also needs ${missing.map(flagOf).join(' and ')}`);
}

/**
 * Returns a verifier for tokens of the external issuer, or undefined if none is configured. The verifier throws Problem
 * `token_invalid`, or `unavailable` if the issuer's keys cannot be fetched.
 */
export function externalVerifier(
  ledger: ClientLedger,
  config: ExternalIssuerConfig,
  clock: () => number,
): ((token: string) => Promise<Verified>) | undefined {
  const { externalIssuer: issuer, externalAudience: audience, externalJwksUrl, externalGroupClaim } = config;
  if (!issuer || !audience || !externalJwksUrl) return undefined;
  const getKey = reachable(createRemoteJWKSet(new URL(externalJwksUrl)));

  return async (token) => {
    const now = clock();
    const options = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp'] };
    const { payload, protectedHeader } = await jwtVerify(token, getKey, {
      ...options,
      currentDate: new Date(now),
      clockTolerance: LEEWAY_SECONDS,
    }).catch((error: unknown) => {
      throw error instanceof Problem ? error : invalidToken(error);
    });
    refuseOtherKinds(protectedHeader.typ, payload);
    const group = payload[externalGroupClaim];
    if (typeof group !== 'string' || !isGroupName(group))
      throw invalidToken(`no claim ${externalGroupClaim} that is the name of a management group`);
    const verified = {
      clientId: `${CLIENT_PREFIX}${clientIdOf(payload)}`,
      group,
      scopes: [...scopesOfClaim(payload.scope), ...scopesOfClaim(payload.scp)].filter(
        (scope) => scope !== SCOPE_GROUPS || mayManageGroups(payload, config.externalGroupsAdmin),
      ),
      endsAt: (Number(payload.exp) + LEEWAY_SECONDS) * 1000,
      external: true,
    };
    await ledger.ensureGroup(group, now);
    return verified;
  };
}

/**
 * The names of access tokens at issuers that do not use `at+jwt`: Keycloak in the claim `typ`, Cognito in `token_use`.
 */
const ACCESS_KINDS = ['bearer', 'access', 'at+jwt', 'jwt'];
/** Claims that only ID tokens have, by OpenID Connect. `auth_time`, `acr` and `sid` occur in access tokens too. */
const ID_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Throws Problem `token_invalid` for other tokens of the issuer: ID, refresh and logout tokens. By RFC 9068 access
 * tokens have the type `at+jwt`, and then that decides. Many issuers write `JWT` or nothing: then the claims must not
 * indicate another kind.
 */
function refuseOtherKinds(typ: string | undefined, payload: JWTPayload): void {
  const type = (typ ?? 'jwt').toLowerCase().replace(/^application\//, '');
  if (type !== 'jwt' && type !== 'at+jwt') throw invalidToken(`a token of the type ${typ}`);
  if (payload.events !== undefined) throw invalidToken('a logout or security event token');
  if (type === 'at+jwt') return;
  const kinds = [payload.typ, payload.token_use].filter((kind) => kind !== undefined);
  if (kinds.some((kind) => !ACCESS_KINDS.includes(String(kind).toLowerCase())))
    throw invalidToken(`a token of the kind ${kinds.join(' ')}`);
  if (kinds.length > 0) return;
  const claim = ID_CLAIMS.find((name) => payload[name] !== undefined);
  if (claim) throw invalidToken(`an ID token: it has the claim ${claim}`);
  // The audience of an ID token is the client that requested it, that of an access token the service that is called
  // with it.
  const [audience, ...others] = [payload.aud ?? []].flat();
  if (others.length === 0 && [payload.azp, payload.client_id].includes(audience))
    throw invalidToken('an ID token: its only audience is its client');
}

/**
 * Whether the token has the claim and value of the setting. The scope alone does not suffice: the administrator of the
 * issuer may grant any scope to the clients of any customer.
 */
function mayManageGroups(payload: JWTPayload, allowed: ExternalIssuerConfig['externalGroupsAdmin']): boolean {
  return allowed !== undefined && [payload[allowed.claim]].flat().includes(allowed.value);
}

/** A key that the issuer does not have is an error of the token; keys that cannot be fetched are not. */
function reachable(remote: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new Problem('unavailable', 'The keys of the external issuer cannot be fetched. Try again later.', {
        cause: error,
      });
    }
  };
}

function clientIdOf(payload: JWTPayload): string {
  const id = [payload.client_id, payload.azp, payload.sub].find((name) => typeof name === 'string' && name !== '');
  if (id === undefined) throw invalidToken('none of the claims client_id, azp and sub');
  return String(id);
}

const scopesOfClaim = (claim: unknown): string[] =>
  (typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []).filter(
    (scope) => typeof scope === 'string' && scope !== '',
  );
