/** Callers by HTTP Basic (RFC 7617) with client id and secret, for operations that programs without tokens call. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { addressOf } from './address.ts';
import type { Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { readBasic } from './oauth.ts';

/** Makes a spreadsheet ask for the id and the secret. */
export const BASIC_CHALLENGE = 'Basic realm="daypart", charset="UTF-8"';

/** The caller that a Basic header identifies, with all scopes of the client; undefined for another header or none. */
export type BasicCaller = (request: FastifyRequest) => Promise<Caller | undefined>;

/** The function throws Problem `login_refused`, with its challenge, and `too_many_logins`. */
export const openBasic =
  (credentials: Credentials, config: Pick<Config, 'trustedProxies'>): BasicCaller =>
  async (request) => {
    const { authorization = '' } = request.headers;
    if (!/^basic\b/i.test(authorization.trim())) return undefined;
    const client = await credentials.authenticate(readBasic(authorization), addressOf(request, config.trustedProxies));
    if (client) return { clientId: client.id, group: client.group, dialect: client.dialect, scopes: client.scopes };
    const headers = { 'www-authenticate': BASIC_CHALLENGE };
    throw new Problem('login_refused', 'The client id or the client secret is wrong.', { headers });
  };
