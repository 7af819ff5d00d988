/**
 * Calls the webhooks of clients when their reports end. A delivery is added to the ledger by the step that ends the
 * report, so a service that was killed sends it after its next start. It has the same id then, because the receiver may
 * get it twice.
 */
import type { Logger } from 'pino';
import type { Families } from '../families/index.ts';
import { startRunner } from '../jobs/jobs.ts';
import { keepMost } from '../kept.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { Delivery, DeliveryLedger } from '../ledger/delivery.ts';
import type { ReportLedger } from '../ledger/report.ts';
import type { Webhook, WebhookLedger } from '../ledger/webhook.ts';
import { describe } from '../requests/status.ts';
import { retryMs, type Sent, send } from './send.ts';
import { nextTurn, type Receiver } from './turns.ts';

interface DeliveriesDeps {
  ledger: ClientLedger & ClockLedger & DeliveryLedger & ReportLedger & WebhookLedger;
  families: Families;
  log: Logger;
  clock: () => number;
  config: { webhookPrivate: boolean };
  /** The base URL that clients see, if it is known. */
  base?: string | undefined;
}

export interface Deliveries {
  /** Checks for due deliveries now. */
  wake(): void;
  /** Aborts deliveries in progress and ends; they are sent after the next start. */
  stop(): Promise<void>;
}

const ANSWER_MS = 15_000;
/** When the attempt of a killed service counts as lost: well past the longest possible attempt. */
const LEASE_MS = 60_000;
/** A receiver is slow while its last answer took longer. */
const SLOW_MS = 5000;
/** Slow receivers that are remembered. */
const MOST_SLOW = 10_000;
const TICK_MS = 1000;

const GONE = 410;
const TURNED_OFF = 'the receiver answered 410: the webhook was disabled';
/** The error of deliveries that were pending then and got no 410 themselves. */
const TURNED_OFF_BY_ANOTHER = 'the webhook was disabled by a 410 to another delivery';

/** The body of a call, the same in every attempt. Undefined if the report was removed. */
async function bodyOf({ ledger, families, base }: DeliveriesDeps, delivery: Delivery): Promise<string | undefined> {
  const { type, reportGuid, createdAt, clientId } = delivery;
  const timestamp = new Date(createdAt).toISOString();
  if (reportGuid === null) return JSON.stringify({ type, timestamp, data: { clientId } });
  const report = await ledger.report(reportGuid);
  if (!report) return undefined;
  // The state when the report ended: at a late attempt it may have expired or been discarded.
  const state = type === 'report.completed' ? 'completed' : 'failed';
  const data = describe(families, { ...report, state }, createdAt, report.dialect);
  const retrievalUrl =
    base && state === 'completed' ? { retrievalUrl: `${base}${families.of(report.kind).path}/${reportGuid}` } : {};
  return JSON.stringify({ type, timestamp, data: { ...data, ...retrievalUrl } });
}

/** A delivery that this service has claimed. */
interface Claimed {
  webhook: Webhook;
  delivery: Delivery;
}

/** Which receivers were slow when they were last called. */
function rememberSlow() {
  const slow = keepMost<true>(MOST_SLOW);
  const keyOf = ({ group, clientId }: Receiver): string => JSON.stringify([group, clientId]);
  return {
    isSlow: (receiver: Receiver): boolean => slow.has(keyOf(receiver)),
    note(receiver: Receiver, ms: number): void {
      if (ms > SLOW_MS) slow.set(keyOf(receiver), true);
      else slow.delete(keyOf(receiver));
    },
  };
}

/** Starts sending deliveries. */
export function startDeliveries(deps: DeliveriesDeps): Deliveries {
  const { ledger, log } = deps;
  const { isSlow, note } = rememberSlow();
  const { wake, stop } = startRunner<Claimed>({
    tickMs: TICK_MS,
    async *claims(running) {
      let due = await ledger.dueWebhooks(await ledger.now());
      for (;;) {
        const webhook = nextTurn(
          due,
          running().map((claimed) => claimed.webhook),
          isSlow,
        );
        if (!webhook) return;
        const now = await ledger.now();
        const delivery = await ledger.claimDelivery(webhook.group, webhook.clientId, now, now + LEASE_MS);
        if (delivery) yield [{ webhook, delivery }];
        else due = due.filter((one) => one !== webhook);
      }
    },
    async run(claimed, { signal }) {
      const began = performance.now();
      await attempt(deps, claimed, signal);
      note(claimed.webhook, performance.now() - began);
    },
    onError: (error) => log.error({ err: error }, 'the ledger could not be queried for deliveries'),
  });
  return { wake, stop };
}

/** One attempt at one delivery. Never throws: the outcome is recorded in the ledger, or the lease expires. */
async function attempt(deps: DeliveriesDeps, { webhook, delivery }: Claimed, signal: AbortSignal): Promise<void> {
  const { ledger, log, clock, config } = deps;
  const at = { delivery: delivery.id, clientId: delivery.clientId, attempt: delivery.attempt };
  try {
    // A client of an external issuer is not in the ledger; a revoked client gets no more calls.
    const client = await ledger.client(delivery.clientId);
    const revoked = client?.group === delivery.group && client.revokedAt !== null;
    const body = revoked ? undefined : await bodyOf(deps, delivery);
    if (body === undefined) {
      const error = revoked ? 'the client was revoked' : 'the report was removed';
      await ledger.dropDelivery(delivery, { status: null, error });
      return;
    }
    const call = { id: delivery.id, body, at: clock() };
    const options = { allowPrivate: config.webhookPrivate, timeoutMs: ANSWER_MS, signal };
    const sent = await send(webhook, call, options);
    if (sent.status === null && signal.aborted) await ledger.releaseDelivery(delivery);
    else await write(deps, { webhook, delivery }, sent);
    log.debug({ ...at, ...sent }, 'a webhook was called');
  } catch (error) {
    log.error({ err: error, ...at }, 'a delivery could not be recorded; it is sent again');
  }
}

/** Records the outcome of an attempt in the ledger. */
async function write({ ledger, log }: DeliveriesDeps, { webhook, delivery }: Claimed, sent: Sent): Promise<void> {
  const { status } = sent;
  if (status !== null && status >= 200 && status < 300) {
    await ledger.finishDelivery(delivery, status);
    return;
  }
  const outcome = { status, error: sent.status === null ? sent.error : `the receiver answered ${status}` };
  if (status === GONE) {
    const { id, attempt, attemptedAt } = delivery;
    await ledger.turnOffWebhook(
      webhook,
      { id, attempt, attemptedAt, ...outcome },
      await ledger.now(),
      TURNED_OFF_BY_ANOTHER,
    );
    log.info({ clientId: delivery.clientId }, TURNED_OFF);
    return;
  }
  const now = await ledger.now();
  const wait = retryMs(delivery.attempt, sent.status === null ? undefined : sent.retryAfter, now);
  if (wait === undefined) await ledger.dropDelivery(delivery, outcome);
  else await ledger.postponeDelivery(delivery, now + wait, outcome);
}
