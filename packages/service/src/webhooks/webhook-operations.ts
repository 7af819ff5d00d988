/** What the operations of webhooks say of themselves. */
import Type from 'typebox';
import { Count, exact, Guid, Instant, Nullable, Text, Words } from '../contract/schemas.ts';
import { SCOPE_READ } from '../contract/words.ts';
import { DELIVERY_STATES, DELIVERY_TYPES } from '../ledger/webhook.ts';
import type { Operation } from '../operation.ts';

const MaybeInstant = Nullable(Instant);

const shown = {
  url: Text('https://receiver.example/daypart', { format: 'uri' }),
  createdAt: Instant,
  active: Type.Boolean({
    description: 'False once the receiver has answered 410, until the webhook is put again',
    examples: [true],
  }),
  oldSecretUntil: Type.Union([Instant, Type.Null()], {
    description:
      'Until then the secret before the last rotation signs too; those before it until what was answered then',
    examples: [null],
  }),
};

const WebhookPut = Type.Object(
  {
    ...shown,
    secret: Type.Optional(
      Text('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {
        pattern: '^whsec_',
        description: 'Present when it is new: it is shown this once',
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
      description: 'What the receiver answered last',
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

const PutBody = Type.Object(
  {
    url: Text('https://receiver.example/daypart', {
      format: 'uri',
      maxLength: 2048,
      description: 'https, with a public address',
    }),
    rotateSecret: Type.Optional(
      Type.Boolean({
        description: 'A new secret; the one before signs too for 24 hours, and so do up to five',
        examples: [false],
      }),
    ),
  },
  { ...exact, title: 'WebhookRequest' },
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
  problems: ['invalid_body', 'unknown_field', 'storage_full'],
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
      content: json(Type.Object({ webhookId: Text('msg_0d000000-0000-4000-8000-000000000001') }, exact)),
    },
  },
  problems: ['webhook_not_found', 'storage_full'],
};
