/** Verifies client ids and secrets, and stays responsive however many wrong ones are sent. */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { keepMost } from '../kept.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import { networkOf } from './address.ts';
import { type Counters, createMemoryCounters } from './counters.ts';
import { createGate } from './gate.ts';
import { secondsLeft } from './limits.ts';
import { hashGenerated, isQuick, NO_SECRET, newSecret, verifyQuick, verifySecret } from './secrets.ts';

export interface ClientSecret {
  id: string;
  secret: string;
}

export interface Credentials {
  /**
   * The client that one of the readings identifies, or undefined. `readings` are the possible interpretations of what
   * the caller sent, the likeliest first; `address` is where the call comes from. Throws Problem `too_many_logins`.
   */
  authenticate(readings: readonly ClientSecret[], address: string): Promise<Client | undefined>;
}

/**
 * How many derivations (some 40 ms of a core each) run at once, and how many wait: the last of them for about a second.
 * Without this bound, ten callers took all threads of the pool, and every file read waited behind them.
 */
const DERIVATIONS = { atOnce: 1, waiting: 8 };
/**
 * The pause after a derivation, as a multiple of its duration: derivations use at most a third of a core. Without
 * pauses they made the p99 of other calls 6 times as long.
 */
const REST = 2;
const REMEMBERED = 10_000;
const NO_MADE_SECRET = hashGenerated(newSecret());
const NOBODY = { id: '', secretHash: NO_SECRET };
/**
 * A 429 is delayed by this much on average, so that a caller that repeats the call immediately does so once a second.
 * The delay varies from half to one and a half times this: 200 callers refused together would otherwise return
 * together, and answering them would block everyone else for 20 ms.
 */
const HOLD_MS = 1000;
/** Beyond this many delayed refusals, further ones are sent immediately, because each takes memory. */
const MOST_HELD = 2000;
const QUEUE_RETRY_S = 2;

type Refuse = (why: string, seconds: number) => Promise<never>;

/** Returns a function that throws Problem `too_many_logins` after a delay. */
function createRefusal(): Refuse {
  let held = 0;
  return async (why, seconds) => {
    if (held < MOST_HELD) {
      held++;
      await setTimeout(HOLD_MS * (0.5 + Math.random())).finally(() => held--);
    }
    throw new Problem('too_many_logins', `${why} Wait ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  };
}

/** Counts the failures of each network. Both functions throw Problem `too_many_logins` if there were too many. */
function createFailures(
  counters: Counters,
  config: Pick<Config, 'limits' | 'limitFailedLogins'>,
  clock: () => number,
  refuse: Refuse,
) {
  const windows = (config.limits === 'off' ? [] : config.limitFailedLogins).map((window) => ({
    ...window,
    name: `failed-logins-${window.unit}`,
  }));
  async function refuseFull(left: number[], now: number): Promise<void> {
    const full = windows.filter((_, i) => left[i] === 0);
    if (full.length === 0) return;
    await refuse('Too many logins from this address failed.', Math.max(...full.map((one) => secondsLeft(one, now))));
  }
  return {
    async check(network: string): Promise<void> {
      const now = clock();
      await refuseFull(await counters.left(network, windows, now), now);
    },
    async note(network: string): Promise<void> {
      const now = clock();
      const { taken, left } = await counters.take(network, windows, now);
      // Other nodes may have counted the last ones since the check.
      if (!taken) await refuseFull(left, now);
    },
  };
}

/** Verifies secrets one after another; each waits until twice the duration of the previous derivation has passed. */
function createDerivation(refuse: Refuse) {
  const gate = createGate(DERIVATIONS);
  return async (stored: string, secret: string): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const turn = gate(async () => {
      const began = performance.now();
      const right = verifySecret(secret, stored);
      resolve(right);
      await right;
      await setTimeout(REST * (performance.now() - began));
    });
    if (turn === undefined) return await refuse('Too many logins are being verified.', QUEUE_RETRY_S);
    // The promise has reported it already.
    turn.catch(() => undefined);
    return await promise;
  };
}

/**
 * Opens the verification of credentials.
 *
 * A correct secret is recognized immediately if the service generated it (its hash is quick), or if this process has
 * verified it before. Everything else, a wrong secret or a chosen one that is seen for the first time, takes the same
 * path, even for unknown and revoked clients: the count of the address, the queue, one derivation. So neither the
 * answer nor its time reveals which clients exist.
 */
export async function openCredentials(deps: {
  ledger: ClientLedger;
  config: Pick<Config, 'limits' | 'limitFailedLogins' | 'bootstrapClient'>;
  clock: () => number;
  /** Count the failed logins; by default in memory. */
  counters?: Counters;
}): Promise<Credentials> {
  const { ledger, config, clock, counters = createMemoryCounters() } = deps;
  const key = randomBytes(32);
  const verified = keepMost<true>(REMEMBERED);
  const refuse = createRefusal();
  const failures = createFailures(counters, config, clock, refuse);
  const derive = createDerivation(refuse);

  /** The mark contains the stored hash, so it no longer matches once the secret changes. */
  const markOf = ({ id, secretHash }: Pick<Client, 'id' | 'secretHash'>, secret: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, secretHash, secret]))
      .digest('base64');

  /**
   * The stored hashes to compare with: the client's own, and for a day after a rotation the previous one. Always two.
   */
  function candidatesOf(client: Client | undefined): Pick<Client, 'id' | 'secretHash'>[] {
    const old = client?.oldSecret && client.oldSecret.until > clock() ? client.oldSecret : undefined;
    return [client ?? NOBODY, client && old ? { id: client.id, secretHash: old.hash } : NOBODY];
  }

  /** Does the same work for every client, whether or not it exists. */
  function isKnown(client: Client | undefined, secret: string): boolean {
    const known = candidatesOf(client).map((candidate) => {
      const isMade = isQuick(candidate.secretHash);
      const right = verifyQuick(secret, isMade ? candidate.secretHash : NO_MADE_SECRET);
      const isVerified = verified.has(markOf(candidate, secret));
      return isMade ? right : isVerified;
    });
    return known.includes(true);
  }

  /**
   * The hash that takes a slow derivation. A client has at most one, since a rotation replaces it by a generated
   * secret.
   */
  const chosenOf = (client: Client | undefined): Pick<Client, 'id' | 'secretHash'> =>
    candidatesOf(client).find(({ secretHash }) => !isQuick(secretHash)) ?? NOBODY;

  // The bootstrap client's secret was verified when the service started.
  const bootstrap = config.bootstrapClient && (await ledger.client(config.bootstrapClient.id));
  if (bootstrap && config.bootstrapClient) verified.set(markOf(bootstrap, config.bootstrapClient.secret), true);

  return {
    async authenticate(readings, address) {
      let request: { client?: Client; secret: string } = { secret: readings[0]?.secret ?? '' };
      for (const { id, secret } of readings) {
        const client = await ledger.client(id);
        if (isKnown(client, secret) && client?.revokedAt === null) return client;
        if (client && !request.client) request = { client, secret };
      }
      const network = networkOf(address);
      await failures.check(network);
      const right = await derive(chosenOf(request.client).secretHash, request.secret);
      // Read again: it may have been revoked, or its secret replaced, while this call waited.
      const client = request.client && (await ledger.client(request.client.id));
      const chosen = chosenOf(client);
      if (right && client?.revokedAt === null && chosen.secretHash === chosenOf(request.client).secretHash) {
        verified.set(markOf(chosen, request.secret), true);
        return client;
      }
      await failures.note(network);
      return undefined;
    },
  };
}
