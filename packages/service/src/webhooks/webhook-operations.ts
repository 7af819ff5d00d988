/** The operations of webhooks. */
import { Count, exact, Guid, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPE_ACCESS, SCOPE_READ } from '../contract/words.ts';
import { bodyReader, field, flagField, optional } from '../http/body-fields.ts';
import { json, type Operation } from '../http/operation.ts';
import { LONGEST_URL } from '../http/public-address.ts';
import { clientParameter } from '../http/query-parameters.ts';
import { DELIVERY_STATES, DELIVERY_TYPES } from '../ledger/delivery.ts';

const MaybeInstant = Nullable(Instant);

const shown = {
  url: Text('https://receiver.example/daypart', { format: 'uri' }),
  createdAt: Instant,
  active: Type.Boolean({
    description: 'False after the receiver answered 410, until the webhook is set again',
    examples: [true],
  }),
  oldSecretUntil: Type.Union([Instant, Type.Null()], {
    description: 'Until when the secret before the last rotation remains valid',
    examples: [null],
  }),
};

const WebhookPut = Type.Object(
  {
    ...shown,
    secret: Type.Optional(
      Text('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {
        pattern: '^whsec_',
        description: 'Present if it is new: it is shown only once',
      }),
    ),
  },
  { ...exact, title: 'WebhookSet' },
);

const DeliveryShown = Type.Object(
  {
    webhookId: Text('msg_0d000000-0000-4000-8000-000000000001', { description: 'The `webhook-id` of every attempt' }),
    type: Words(DELIVERY_TYPES, { examples: ['report.completed'] }),
    reportRequestGuid: Nullable(Guid),
    state: Words(
      DELIVERY_STATES.map((state) => state.toUpperCase()),
      { examples: ['DELIVERED'] },
    ),
    createdAt: Instant,
    attempts: Count,
    attemptedAt: MaybeInstant,
    nextAttemptAt: MaybeInstant,
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The last answer of the receiver',
      examples: [204],
    }),
    error: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  },
  { ...exact, title: 'WebhookDelivery' },
);

const WebhookGot = Type.Object(
  { ...shown, deliveries: Type.Array(DeliveryShown, { description: 'The last 20, newest first' }) },
  { ...exact, title: 'Webhook' },
);

export const putBody = bodyReader('WebhookRequest', {
  /** Checked by `readPublicUrl`, which knows whether private addresses are allowed. */
  url: field<unknown>(
    Text('https://receiver.example/daypart', {
      format: 'uri',
      maxLength: LONGEST_URL,
      description: 'https, with a public address',
    }),
    'an address',
    (value) => value ?? null,
  ),
  rotateSecret: optional(
    flagField(false, { description: 'Create a new secret; up to five old ones each remain valid for 24 hours' }),
    false,
  ),
});

const scopes: NonNullable<Operation['scopes']> = [SCOPE_READ];

export const putWebhook: Operation = {
  id: 'putWebhook',
  summary: 'Set the webhook of this client',
  description:
    'The client of the access token has one webhook. `report.completed` and `report.failed` are posted there, signed ' +
    'according to Standard Webhooks.',
  tag: 'Webhooks',
  scopes,
  body: { description: 'The URL to call.', required: true, content: json(putBody.schema) },
  answers: {
    200: { description: 'Changed and active.', content: json(WebhookPut) },
    201: { description: 'Created; the secret is shown only once.', content: json(WebhookPut) },
  },
  problems: ['invalid_body', 'unknown_field', 'storage_full'],
};

export const getWebhook: Operation = {
  id: 'getWebhook',
  summary: 'Get the webhook of this client and its last deliveries',
  tag: 'Webhooks',
  scopes,
  answers: { 200: { description: 'The webhook, without its secret.', content: json(WebhookGot) } },
  problems: ['webhook_not_found'],
};

export const removeWebhook: Operation = {
  id: 'removeWebhook',
  summary: 'Remove the webhook of this client',
  description: 'Pending deliveries are dropped. Repeating the call is not an error.',
  tag: 'Webhooks',
  scopes,
  answers: { 204: { description: 'The webhook is removed.' } },
};

export const testWebhook: Operation = {
  id: 'testWebhook',
  summary: 'Send a webhook.test event',
  tag: 'Webhooks',
  scopes,
  answers: {
    202: {
      description: 'It is sent like any other event; GET shows its delivery.',
      content: json(Type.Object({ webhookId: Text('msg_0d000000-0000-4000-8000-000000000001') }, exact)),
    },
  },
  problems: ['webhook_not_found', 'storage_full'],
};

/** GET /webhook/deliveries. */
export const listDeliveries: Operation = {
  id: 'listDeliveries',
  summary: 'List the webhook deliveries of a client',
  description: 'Of the client that calls, or of another client of the management group (`client`).',
  tag: 'Webhooks',
  scopes: [SCOPE_ACCESS],
  parameters: [clientParameter],
  answers: {
    200: { description: 'The last 200 of the last 7 days, newest first.', content: json(Type.Array(DeliveryShown)) },
  },
  problems: ['invalid_parameter', 'client_not_found'],
};

/** POST /webhook/deliveries/{webhookId}/replay. */
export const replayDelivery: Operation = {
  id: 'replayDelivery',
  summary: 'Send a webhook delivery again',
  description:
    'Sent now, with the same `webhook-id` and with all retries available again. A delivery that is waiting is sent now too.',
  tag: 'Webhooks',
  scopes: [SCOPE_ACCESS],
  parameters: [
    clientParameter,
    {
      in: 'path',
      name: 'webhookId',
      description: 'Its `webhook-id`',
      schema: Text('msg_0d000000-0000-4000-8000-000000000001'),
      required: true,
    },
  ],
  answers: {
    202: {
      description: 'It is sent; the list shows its state.',
      content: json(Type.Object({ webhookId: Text('msg_0d000000-0000-4000-8000-000000000001') }, exact)),
    },
  },
  problems: ['invalid_parameter', 'client_not_found', 'delivery_not_found', 'storage_full'],
};
