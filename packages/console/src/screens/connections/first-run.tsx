/** A service without data: a point of sale to connect, or three steps to the first figures, instead of empty charts. */
import { useState } from 'preact/hooks';
import { BASE, daypart } from '../../data/client.ts';
import { isDisabled, useConnections } from '../../data/connections.ts';
import { useGroup } from '../../data/group.ts';
import { loadGroup } from '../../data/group-load.ts';
import { may, token } from '../../data/session.ts';
import { FieldErrors } from '../../features/field-errors.tsx';
import { Screen } from '../../features/screen.tsx';
import { Card } from '../../widgets/card.tsx';
import { copyText } from '../../widgets/copy.ts';

/** A random GUID: `crypto.randomUUID` does not exist over plain http on a LAN address. */
function newGuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function FirstRun() {
  const { restaurants } = useGroup();
  const [first] = restaurants;
  const isAdmin = may('access:admin');
  const { data: connected = [], error } = useConnections(isAdmin || may('ingest:write'));
  if (connected.length > 0)
    return (
      <Screen title="The point of sale is being read">
        <div class="card stack">
          {connected.map(({ id, name, message }) => (
            <p key={id}>
              <b>{name}:</b> {message}
            </p>
          ))}
          <p class="muted">The overview is here as soon as the first business date is loaded.</p>
          <div class="row">
            <a class="button primary" href="/data/connections">
              How far it is read
            </a>
          </div>
        </div>
      </Screen>
    );
  if (!may('ingest:write'))
    return (
      <Screen title="Nothing is loaded yet">
        <p class="card">As soon as orders are loaded, their figures are here. Loading needs the scope ingest:write.</p>
      </Screen>
    );
  return (
    <Screen title="Three steps to the first figures">
      <div class="cards">
        {isAdmin && !isDisabled(error) && (
          <Card title="Connect a point of sale" aside="preview">
            <div class="stack">
              <p class="muted">
                Daypart reads your restaurants from Toast by itself: the last weeks first, then every change. It takes
                the credentials of its API.
              </p>
              <div class="row">
                <a class="button primary" href="/data/connections/new">
                  Connect a point of sale
                </a>
              </div>
            </div>
          </Card>
        )}
        <p class="note">Or load what you have, from export folders or over the API:</p>
        <Card title="1. Add a restaurant" width={4}>
          {first ? (
            <p>{restaurants.length === 1 ? first.name : `${restaurants.length} restaurants`}, done.</p>
          ) : (
            <RestaurantForm />
          )}
        </Card>
        <Card title="2. Load its orders" width={4}>
          {first ? <LoadOrders guid={first.guid} /> : <p class="muted">After the first step.</p>}
        </Card>
        <Card title="3. See them" width={4}>
          <div class="stack">
            <p class="muted">The overview is here as soon as the first business date is loaded.</p>
            <button type="button" class="button" onClick={() => void loadGroup()}>
              Look again
            </button>
          </div>
        </Card>
      </div>
    </Screen>
  );
}

function RestaurantForm() {
  const [error, setError] = useState<unknown>();
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const body = {
      name: text('name'),
      timeZone: text('timeZone'),
      currencyCode: text('currencyCode').toUpperCase() || null,
    };
    try {
      await daypart.request('PUT', `/restaurants/${newGuid()}`, { body });
      await loadGroup();
    } catch (caught) {
      setError(caught);
    }
  };
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <form class="stack" onSubmit={add}>
      <label class="field">
        <span>Name</span>
        <input name="name" required maxLength={200} />
      </label>
      <label class="field">
        <span>Time zone</span>
        <select name="timeZone">
          {[...new Set([own, ...Intl.supportedValuesOf('timeZone')])].map((zone) => (
            <option key={zone} value={zone} selected={zone === own}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Currency</span>
        <input name="currencyCode" maxLength={3} placeholder="USD" />
      </label>
      <FieldErrors error={error} />
      <div class="row">
        <button type="submit" class="button primary">
          Add
        </button>
      </div>
    </form>
  );
}

function LoadOrders({ guid }: { guid: string }) {
  const [copied, setCopied] = useState(false);
  const curl = (bearer: string): string =>
    `curl -X POST "${location.origin}${BASE}/restaurants/${guid}/orders" \\\n  -H "Authorization: Bearer ${bearer}" \\\n  -H "Content-Type: application/json" \\\n  -d @orders.json`;
  return (
    <div class="stack">
      <a class="button" href="/data/import">
        Drop an export folder
      </a>
      <p class="muted">or send orders as the orders API has them:</p>
      <pre class="code">{curl('$TOKEN')}</pre>
      <div class="row">
        <button type="button" class="button small" onClick={async () => setCopied(await copyText(curl(await token())))}>
          Copy with a token of ten minutes
        </button>
        <span role="status">{copied && 'Copied'}</span>
      </div>
      <p class="note">
        <a href="/docs/loading">What an order has</a>
      </p>
    </div>
  );
}
