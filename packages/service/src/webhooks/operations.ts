/** What the operations of webhooks say of themselves. */
import Type from 'typebox';
import { SCOPE_READ } from '../contract/words.ts';
import { DELIVERY_STATES, DELIVERY_TYPES } from '../ledger/webhook.ts';
import type { Operation } from '../operation.ts';

const exact = { additionalProperties: false };
const Instant = Type.String({ format: 'date-time' });
const MaybeInstant = Type.Union([Instant, Type.Null()]);
const MaybeText = Type.Union([Type.String(), Type.Null()]);

const shown = {
  url: Type.String({ format: 'uri' }),
  createdAt: Instant,
  active: Type.Boolean({ description: 'False once the receiver has answered 410, until the webhook is put again' }),
  oldSecretUntil: Type.Union([Instant, Type.Null()], {
    description: 'Until then the secret before the last rotation signs too',
  }),
};

const WebhookPut = Type.Object(
  {
    ...shown,
    secret: Type.Optional(
      Type.String({ pattern: '^whsec_', description: 'Present when it is new: it is shown this once' }),
    ),
  },
  exact,
);

const DeliveryShown = Type.Object(
  {
    webhookId: Type.String({ description: 'The `webhook-id` of every attempt' }),
    type: Type.Enum([...DELIVERY_TYPES]),
    reportRequestGuid: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    state: Type.Enum(DELIVERY_STATES.map((state) => state.toUpperCase())),
    createdAt: Instant,
    attempts: Type.Integer({ minimum: 0 }),
    attemptedAt: MaybeInstant,
    nextAttemptAt: MaybeInstant,
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'What the receiver answered last' }),
    error: MaybeText,
  },
  exact,
);

const WebhookGot = Type.Object(
  { ...shown, deliveries: Type.Array(DeliveryShown, { description: 'The last 20, newest first' }) },
  exact,
);

const PutBody = Type.Object(
  {
    url: Type.String({ format: 'uri', maxLength: 2048, description: 'https, with a public address' }),
    rotateSecret: Type.Optional(Type.Boolean({ description: 'A new secret; the one before signs too for 24 hours' })),
  },
  exact,
);

const json = (schema: Type.TSchema): Record<string, Type.TSchema> => ({ 'application/json': schema });
const scopes: NonNullable<Operation['scopes']> = [SCOPE_READ];

export const putWebhook: Operation = {
  id: 'putWebhook',
  summary: 'Set where this client is called when its reports end',
  description:
    'The client of the access token has one webhook. `report.completed` and `report.failed` are posted there, signed ' +
    'as Standard Webhooks has it.',
  tag: 'Webhooks',
  scopes,
  body: { description: 'Where to call.', required: true, content: json(PutBody) },
  answers: {
    200: { description: 'It was changed, and is on.', content: json(WebhookPut) },
    201: { description: 'It was made; the secret is shown this once.', content: json(WebhookPut) },
  },
  problems: ['invalid_body', 'unknown_field'],
};

export const getWebhook: Operation = {
  id: 'getWebhook',
  summary: 'Get the webhook of this client and what came of its last deliveries',
  tag: 'Webhooks',
  scopes,
  answers: { 200: { description: 'The webhook, without its secret.', content: json(WebhookGot) } },
  problems: ['webhook_not_found'],
};

export const removeWebhook: Operation = {
  id: 'removeWebhook',
  summary: 'Remove the webhook of this client',
  description: 'What was still to be delivered is forgotten. The second time answers the same.',
  tag: 'Webhooks',
  scopes,
  answers: { 204: { description: 'There is no webhook now.' } },
};

export const testWebhook: Operation = {
  id: 'testWebhook',
  summary: 'Send a webhook.test event',
  tag: 'Webhooks',
  scopes,
  answers: {
    202: {
      description: 'It is sent like any other event; GET shows what came of it.',
      content: json(Type.Object({ webhookId: Type.String() }, exact)),
    },
  },
  problems: ['webhook_not_found'],
};
