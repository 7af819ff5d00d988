/** The webhook of this client, and what it answered last. */
import { NotFoundError } from '@daypart/client';
import { useState } from 'preact/hooks';
import type { Webhook } from '../../data/access.ts';
import { daypart } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { formatInstant } from '../../model/dates.ts';
import { Card } from '../../parts/card.tsx';
import { FieldErrors } from '../../parts/field-errors.tsx';
import { Loaded } from '../../parts/state.tsx';

async function readWebhook(signal: AbortSignal): Promise<Webhook | null> {
  try {
    return await daypart.request<Webhook>('GET', '/webhook', { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export function WebhookCard() {
  const [turn, setTurn] = useState(0);
  const load = useLoad(`webhook ${turn}`, async ({ signal }) => ({ webhook: await readWebhook(signal) }));
  return (
    <div class="cards">
      <Card title="Webhook" aside="called when a report of this client ends">
        <Loaded load={load} height={160}>
          {({ webhook }) => <Form key={webhook?.url} webhook={webhook} onSaved={() => setTurn(turn + 1)} />}
        </Loaded>
      </Card>
      {load.data?.webhook?.deliveries && load.data.webhook.deliveries.length > 0 && (
        <Deliveries webhook={load.data.webhook} />
      )}
    </div>
  );
}

function Form({ webhook, onSaved }: { webhook: Webhook | null; onSaved: () => void }) {
  const [error, setError] = useState<unknown>();
  const [secret, setSecret] = useState('');
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    try {
      const answer = Object(await work());
      if (typeof answer.secret === 'string') setSecret(answer.secret);
      else onSaved();
    } catch (caught) {
      // 202 and 204 have no JSON.
      if (Object(caught).name === 'UnexpectedAnswerError') onSaved();
      else setError(caught);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const url = String(new FormData(event.currentTarget).get('url')).trim();
        void attempt(() => daypart.request('PUT', '/webhook', { body: { url } }));
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
            <button
              type="button"
              class="button"
              onClick={() => void attempt(() => daypart.request('POST', '/webhook/test', { body: {} }))}
            >
              Send a test
            </button>
            <button
              type="button"
              class="button danger"
              onClick={() => void attempt(() => daypart.request('DELETE', '/webhook'))}
            >
              Remove
            </button>
          </>
        )}
      </div>
    </form>
  );
}

function Deliveries({ webhook: { deliveries = [] } }: { webhook: Webhook }) {
  const fields = [...new Set(deliveries.flatMap((delivery) => Object.keys(delivery)))].filter(
    (field) => field !== 'id',
  );
  const show = (value: unknown): string => {
    if (value === null || value === undefined) return '–';
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return formatInstant(value);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <Card title="Last deliveries" bleed>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room */}
      <section class="table-box" aria-label="Table of last deliveries" tabIndex={0}>
        <table class="data dense">
          <thead>
            <tr>
              {fields.map((field) => (
                <th key={field} scope="col" class="left">
                  {field}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery, at) => (
              <tr key={delivery.id ?? at}>
                {fields.map((field) => (
                  <td key={field} class="left wrap">
                    {show(delivery[field])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
