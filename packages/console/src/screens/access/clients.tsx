/** Clients: create one, see its secret once, give it a new one, revoke it; and the choice of one for other screens. */
import type { ClientInfo, NewClient } from '@daypart/client';
import { useState } from 'preact/hooks';
import { access } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { FieldErrors } from '../../features/field-errors.tsx';
import { Loaded } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { Card } from '../../widgets/card.tsx';
import { ConfirmButton } from '../../widgets/confirm.tsx';
import { Select } from '../../widgets/controls.tsx';
import { copyText } from '../../widgets/copy.ts';
import { DataTable } from '../../widgets/table.tsx';

type Secret = Pick<NewClient, 'clientId' | 'clientSecret'>;

const SCOPES = [
  { scope: 'enterprise-metrics:read', note: 'reports, restaurants, the webhook' },
  { scope: 'ingest:write', note: 'loading data, settings of restaurants' },
  { scope: 'access:admin', note: 'clients and limits' },
];

export function Clients() {
  const [turn, setTurn] = useState(0);
  const [made, setMade] = useState<Secret>();
  const load = useCurrent(`clients ${turn}`, ({ signal }) => access.clients.list({}, { signal }));
  const refresh = (): void => setTurn(turn + 1);
  const done = (client: Secret): void => {
    setMade(client);
    refresh();
  };
  return (
    <div class="cards">
      {made && <SecretCard client={made} onClose={() => setMade(undefined)} />}
      <Card title="Clients" bleed width={8}>
        <Loaded load={load} height={84}>
          {(clients) => <List clients={clients} onSecret={done} onRevoked={refresh} />}
        </Loaded>
      </Card>
      <Card title="New client" width={4}>
        <NewForm onMade={done} />
      </Card>
    </div>
  );
}

function SecretCard({ client, onClose }: { client: Secret; onClose: () => void }) {
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
  onSecret: (client: Secret) => void;
  onRevoked: () => void;
}

function List({ clients, onSecret, onRevoked }: ListProps) {
  const [error, setError] = useState<unknown>();
  const attempt = async (work: Promise<void>): Promise<void> => {
    setError(undefined);
    await work.catch(setError);
  };
  const action = ({ clientId: id, name, revokedAt }: ClientInfo) =>
    !revokedAt && (
      <div class="row nowrap">
        <button
          type="button"
          class="button small"
          onClick={() => void attempt(access.clients.rotateSecret(id).then(onSecret))}
        >
          New secret
        </button>
        <ConfirmButton
          label="Revoke"
          confirm={`Revoke ${name ?? id}`}
          onConfirm={() => attempt(access.clients.revoke(id).then(onRevoked))}
        />
      </div>
    );
  return (
    <>
      <FieldErrors error={error} />
      <DataTable
        label="Table of clients"
        rows={clients}
        keyOf={({ clientId }) => clientId}
        columns={[
          {
            title: 'Client',
            cell: ({ name, clientId }: ClientInfo) => (
              <>
                {name ?? clientId} <small class="mono">{clientId}</small>
              </>
            ),
          },
          {
            title: 'Scopes',
            className: 'left wide wrap',
            cell: ({ scopes }) => <span class="mono">{scopes.join(' ')}</span>,
          },
          { title: 'Dialect', className: 'left wide', cell: ({ dialect }) => dialect },
          { title: 'State', className: 'left', cell: stateOf },
          { title: <span class="hidden">Actions</span>, cell: action },
        ]}
      />
    </>
  );
}

function stateOf({ revokedAt, oldSecretUntil }: ClientInfo): string {
  if (revokedAt) return `revoked ${formatInstant(revokedAt)}`;
  return oldSecretUntil ? `active, old secret until ${formatInstant(oldSecretUntil)}` : 'active';
}

function NewForm({ onMade }: { onMade: (client: Secret) => void }) {
  const [error, setError] = useState<unknown>();
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const element = event.currentTarget as HTMLFormElement;
    const form = new FormData(element);
    setError(undefined);
    try {
      const scopes = form.getAll('scope').map(String);
      const dialect = form.get('dialect') === 'live' ? 'live' : 'reference';
      onMade(await access.clients.create({ name: String(form.get('name')).trim(), scopes, dialect }));
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

interface ChoiceProps {
  /** Empty for the client that is signed in. */
  client: string;
  onChange: (client: string) => void;
}

/** The choice of a client of the group; the client that is signed in unless another is chosen. */
export function ClientChoice({ client, onChange }: ChoiceProps) {
  const { data = [] } = useCurrent('clients to choose', ({ signal }) => access.clients.list({}, { signal }));
  const others = data.filter(({ revokedAt }) => revokedAt === null);
  return (
    <Select
      label="Client"
      value={client}
      options={[
        { value: '', label: 'This client' },
        ...others.map(({ clientId, name }) => ({ value: clientId, label: name ?? clientId })),
      ]}
      onChange={onChange}
    />
  );
}
