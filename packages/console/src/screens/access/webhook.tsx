/** The webhook of this client; the deliveries of any client, and sending one again. */
import type { Webhook, WebhookDelivery } from '@daypart/client';
import { useState } from 'preact/hooks';
import { access, readDeliveries, readWebhook, replay } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { FieldErrors } from '../../features/field-errors.tsx';
import { ErrorState, Loaded } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { Card, shortGuid } from '../../widgets/card.tsx';
import { ConfirmButton } from '../../widgets/confirm.tsx';
import { DataTable, type PlainColumn } from '../../widgets/table.tsx';
import { ClientChoice } from './clients.tsx';

export function WebhookScreen() {
  const [turn, setTurn] = useState(0);
  // Kept here, because the form of another address is another form.
  const [secret, setSecret] = useState('');
  const load = useCurrent(`webhook ${turn}`, async ({ signal }) => ({ webhook: await readWebhook(signal) }));
  const refresh = (): void => setTurn(turn + 1);
  return (
    <div class="cards">
      <Card title="Webhook" aside="called when a report of this client ends">
        <Loaded load={load} height={104}>
          {({ webhook }) => (
            <Form
              key={webhook?.url}
              webhook={webhook}
              secret={webhook ? secret : ''}
              onSecret={setSecret}
              onSaved={refresh}
            />
          )}
        </Loaded>
      </Card>
      <Deliveries turn={turn} refresh={refresh} />
    </div>
  );
}

interface FormProps {
  webhook: Webhook | null;
  /** The one that was just made; empty if there is none to show. */
  secret: string;
  onSecret: (secret: string) => void;
  onSaved: () => void;
}

function Form({ webhook, secret, onSecret, onSaved }: FormProps) {
  const [error, setError] = useState<unknown>();
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    setError(undefined);
    try {
      const answer = Object(await work);
      if (typeof answer.secret === 'string') onSecret(answer.secret);
      onSaved();
    } catch (caught) {
      setError(caught);
    }
  };
  const put = (ask: Parameters<typeof access.webhook.set>[0]): void => void attempt(access.webhook.set(ask));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const url = String(new FormData(event.currentTarget).get('url')).trim();
        put({ url });
      }}
    >
      <label class="field">
        <span>Address</span>
        <input
          name="url"
          type="url"
          required
          placeholder="https://example.com/daypart"
          defaultValue={webhook?.url ?? ''}
        />
      </label>
      {webhook && !webhook.active && (
        <p class="notice warn">The receiver answered 410, so nothing is sent any more. Save to begin again.</p>
      )}
      {webhook?.oldSecretUntil && (
        <p class="note">The secret before remains valid until {formatInstant(webhook.oldSecretUntil)}.</p>
      )}
      {secret && (
        <div class="stack">
          <p>The secret that signs each call, shown once:</p>
          <pre class="code">{secret}</pre>
        </div>
      )}
      <FieldErrors error={error} />
      <div class="row">
        <button type="submit" class="button primary">
          Save
        </button>
        {webhook && (
          <>
            <button type="button" class="button" onClick={() => void attempt(access.webhook.test())}>
              Send a test
            </button>
            <button type="button" class="button" onClick={() => put({ url: webhook.url, rotateSecret: true })}>
              New secret
            </button>
            <ConfirmButton
              label="Remove"
              confirm="Remove the webhook"
              onConfirm={() => attempt(access.webhook.remove())}
            />
          </>
        )}
      </div>
    </form>
  );
}

/** The states of a delivery in words. */
const STATES: Record<string, { word: string; tone: string }> = {
  DELIVERED: { word: 'delivered', tone: 'good' },
  WAITING: { word: 'waiting', tone: 'warn' },
  GIVEN_UP: { word: 'given up', tone: 'bad' },
};

const COLUMNS: readonly PlainColumn<WebhookDelivery>[] = [
  {
    title: 'What',
    cell: ({ type, reportRequestGuid: guid }) => (
      <>
        {type} {guid && <a href={`/reports/${guid}`}>{shortGuid(guid)}</a>}
      </>
    ),
  },
  {
    title: 'State',
    className: 'left',
    cell: ({ state }) => <span class={`tag ${STATES[state]?.tone ?? ''}`}>{STATES[state]?.word ?? state}</span>,
  },
  {
    title: 'Answer',
    className: 'left wrap',
    cell: ({ status, error }) => [status, error].filter((part) => part !== null).join(', ') || '–',
  },
  { title: 'Attempts', className: 'wide', cell: ({ attempts }) => attempts },
  {
    title: 'Last attempt',
    className: 'wide',
    cell: ({ attemptedAt }) => (attemptedAt ? formatInstant(attemptedAt) : '–'),
  },
  {
    title: 'Next attempt',
    className: 'wide',
    cell: ({ nextAttemptAt }) => (nextAttemptAt ? formatInstant(nextAttemptAt) : '–'),
  },
];

function Deliveries({ turn, refresh }: { turn: number; refresh: () => void }) {
  const [client, setClient] = useState('');
  const [error, setError] = useState<unknown>();
  const load = useCurrent(`deliveries ${client} ${turn}`, ({ signal }) => readDeliveries(client, signal));
  const again = (webhookId: string): void => {
    setError(undefined);
    replay(client, webhookId).then(refresh, setError);
  };
  const end = (
    <>
      <ClientChoice client={client} onChange={setClient} />
      <button type="button" class="button small" onClick={refresh}>
        Refresh
      </button>
    </>
  );
  const action: PlainColumn<WebhookDelivery> = {
    title: <span class="hidden">Actions</span>,
    cell: ({ webhookId }) => (
      <button type="button" class="button small" onClick={() => again(webhookId)}>
        Send again
      </button>
    ),
  };
  return (
    <Card title="Deliveries" aside="of the last 7 days, newest first" end={end} bleed>
      {error !== undefined && <ErrorState error={error} />}
      <Loaded load={load} height={200}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p class="state">Nothing was sent in the last 7 days.</p>
          ) : (
            <DataTable
              label="Table of deliveries"
              columns={[...COLUMNS, action]}
              rows={deliveries}
              keyOf={({ webhookId }) => webhookId}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
