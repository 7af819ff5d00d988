/** Clients: make one, see its secret once, give it another, revoke it. */
import { useState } from 'preact/hooks';
import {
  addClient,
  type ClientInfo,
  type NewSecret,
  readClients,
  renewSecret,
  revokeClient,
} from '../../data/access.ts';
import { useLoad } from '../../data/load.ts';
import { formatInstant } from '../../model/dates.ts';
import { Card } from '../../parts/card.tsx';
import { copyText } from '../../parts/copy.ts';
import { FieldErrors } from '../../parts/field-errors.tsx';
import { Loaded } from '../../parts/state.tsx';

const SCOPES = [
  { scope: 'enterprise-metrics:read', note: 'reports, restaurants, the webhook' },
  { scope: 'ingest:write', note: 'loading data, settings of restaurants' },
  { scope: 'access:admin', note: 'clients and limits' },
];

export function Clients() {
  const [turn, setTurn] = useState(0);
  const [made, setMade] = useState<NewSecret>();
  const load = useLoad(`clients ${turn}`, ({ signal }) => readClients(signal));
  const refresh = (): void => setTurn(turn + 1);
  const done = (client: NewSecret): void => {
    setMade(client);
    refresh();
  };
  return (
    <div class="cards">
      {made && <SecretCard client={made} onClose={() => setMade(undefined)} />}
      <Card title="Clients" bleed width={8}>
        <Loaded load={load} height={240}>
          {(clients) => <List clients={clients} onSecret={done} onRevoked={refresh} />}
        </Loaded>
      </Card>
      <Card title="New client" width={4}>
        <NewForm onMade={done} />
      </Card>
    </div>
  );
}

function SecretCard({ client, onClose }: { client: NewSecret; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const { clientId, clientSecret: secret } = client;
  return (
    <Card title="Secret" aside="shown once: it is stored as a hash">
      <div class="stack">
        <pre class="code">
          {clientId}
          {'\n'}
          {secret}
        </pre>
        <div class="row">
          <button type="button" class="button primary" onClick={async () => setCopied(await copyText(secret))}>
            Copy secret
          </button>
          <button type="button" class="button" onClick={onClose}>
            Done
          </button>
          <span role="status">{copied && 'Copied'}</span>
        </div>
      </div>
    </Card>
  );
}

interface ListProps {
  clients: ClientInfo[];
  onSecret: (client: NewSecret) => void;
  onRevoked: () => void;
}

function List({ clients, onSecret, onRevoked }: ListProps) {
  const [error, setError] = useState<unknown>();
  const [asking, setAsking] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
    setAsking(undefined);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
    <section class="table-box" aria-label="Table of clients" tabIndex={0}>
      <FieldErrors error={error} />
      <table class="data dense">
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col" class="left wide">
              Scopes
            </th>
            <th scope="col" class="left wide">
              Dialect
            </th>
            <th scope="col" class="left">
              State
            </th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => {
            const { clientId: id, name, scopes, dialect, revokedAt } = client;
            return (
              <tr key={id}>
                <th scope="row">
                  {name ?? id} <small class="mono">{id}</small>
                </th>
                <td class="left wide wrap mono">{scopes.join(' ')}</td>
                <td class="left wide">{dialect}</td>
                <td class="left">{revokedAt ? `revoked ${formatInstant(revokedAt)}` : 'active'}</td>
                <td>
                  {!revokedAt && asking !== id && (
                    <div class="row nowrap">
                      <button
                        type="button"
                        class="button small"
                        onClick={() => void attempt(async () => onSecret(await renewSecret(id)))}
                      >
                        New secret
                      </button>
                      <button type="button" class="button small danger" onClick={() => setAsking(id)}>
                        Revoke
                      </button>
                    </div>
                  )}
                  {asking === id && (
                    <div class="row nowrap">
                      <button
                        type="button"
                        class="button small danger"
                        onClick={() =>
                          void attempt(async () => {
                            await revokeClient(id);
                            onRevoked();
                          })
                        }
                      >
                        Revoke {name ?? id}
                      </button>
                      <button type="button" class="button small" onClick={() => setAsking(undefined)}>
                        Keep
                      </button>
                    </div>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function NewForm({ onMade }: { onMade: (client: NewSecret) => void }) {
  const [error, setError] = useState<unknown>();
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const element = event.currentTarget as HTMLFormElement;
    const form = new FormData(element);
    setError(undefined);
    try {
      const scopes = form.getAll('scope').map(String);
      onMade(await addClient({ name: String(form.get('name')).trim(), scopes, dialect: String(form.get('dialect')) }));
      element.reset();
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <form class="stack" onSubmit={make}>
      <label class="field">
        <span>Name</span>
        <input name="name" required maxLength={100} />
      </label>
      <fieldset class="plain-set">
        <legend>Scopes</legend>
        {SCOPES.map(({ scope, note }, at) => (
          <label class="check" key={scope}>
            <input type="checkbox" name="scope" value={scope} defaultChecked={at === 0} />
            <span>
              <span class="mono">{scope}</span> <small class="faint">{note}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>Dialect</span>
        <select name="dialect">
          <option value="reference">reference</option>
          <option value="live">live</option>
        </select>
      </label>
      <FieldErrors error={error} />
      <div class="row">
        <button type="submit" class="button primary">
          Create
        </button>
      </div>
    </form>
  );
}
