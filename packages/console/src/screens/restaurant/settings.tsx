/**
 * The settings of a restaurant: names, time zone, closeout hour, currency. They can be changed with the scope
 * `ingest:write`.
 */
import { InvalidRequestError } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../../data/client.ts';
import { useGroup } from '../../data/group.ts';
import { loadGroup } from '../../data/group-load.ts';
import { useLoad } from '../../data/load.ts';
import { may } from '../../data/session.ts';
import { DaypartEditor } from '../../features/daypart-editor.tsx';
import { FieldErrors } from '../../features/field-errors.tsx';
import { Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { Card } from '../../widgets/card.tsx';
import { Description, RestaurantTabs, type TabProps } from './tabs.tsx';

/** The body of `PUT /restaurants/{guid}`. The service refuses the text of a number that is not one. */
interface Body {
  name: string;
  timeZone: string;
  closeoutHour: number | string;
  locationName: string | null;
  locationCode: string | null;
  currencyCode: string | null;
  overtimeMultiplier: number | string;
  refundsOn: 'refund' | 'order';
  active: boolean;
  testMode: boolean;
  archived: boolean;
}

export function Settings({ restaurant }: TabProps) {
  const { watermark } = useGroup();
  const { guid } = restaurant;
  const load = useLoad(`restaurant ${guid} ${watermark}`, ({ signal }) =>
    daypart.request<Body>('GET', `/restaurants/${guid}`, { signal }),
  );
  return (
    <Screen
      title={restaurant.name}
      crumb={{ name: 'Restaurants', href: '/restaurants' }}
      sub={<Description restaurant={restaurant} />}
    >
      <RestaurantTabs guid={guid} />
      <div class="cards">
        <Card title="Restaurant" width={7}>
          <Loaded load={load} height={420} phone={700}>
            {(body) => <Form guid={guid} body={body} />}
          </Loaded>
        </Card>
        <Card title="Dayparts" width={5}>
          <DaypartEditor path={`/restaurants/${guid}/dayparts`} removable />
        </Card>
      </div>
    </Screen>
  );
}

const FIELDS = [
  { name: 'name', label: 'Name' },
  { name: 'locationName', label: 'Location' },
  { name: 'locationCode', label: 'Location code' },
  { name: 'timeZone', label: 'Time zone', note: 'Name of an IANA zone, such as America/New_York' },
  {
    name: 'closeoutHour',
    label: 'Closeout hour',
    numeric: true,
    note: 'Local hours before it belong to the previous business date',
  },
  {
    name: 'currencyCode',
    label: 'Currency',
    note: 'Three letters, such as USD. Its amounts are never added to those of another',
  },
  { name: 'overtimeMultiplier', label: 'Overtime multiplier', numeric: true },
] as const;
const FLAGS = [
  { name: 'active', label: 'Active: in reports unless they name restaurants' },
  { name: 'testMode', label: 'Test mode: in no report unless named' },
  { name: 'archived', label: 'Archived' },
] as const;

function bodyOf(form: FormData): Body {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  // NaN would be null in JSON, for which the service has a default, and the number of an empty text is 0.
  const number = (name: string): number | string =>
    text(name) === '' || Number.isNaN(Number(text(name))) ? text(name) : Number(text(name));
  return {
    name: text('name'),
    timeZone: text('timeZone'),
    closeoutHour: number('closeoutHour'),
    locationName: text('locationName') || null,
    locationCode: text('locationCode') || null,
    currencyCode: text('currencyCode').toUpperCase() || null,
    overtimeMultiplier: number('overtimeMultiplier'),
    refundsOn: form.has('refundsOn') ? 'order' : 'refund',
    active: form.has('active'),
    testMode: form.has('testMode'),
    archived: form.has('archived'),
  };
}

/** Makes what was saved the default of its field, so that it follows later changes: text that was typed does not. */
function settle(form: HTMLFormElement): void {
  for (const input of form.querySelectorAll('input')) {
    input.defaultValue = input.value;
    input.defaultChecked = input.checked;
  }
  form.reset();
}

/** The fields show the body that was loaded last, except those that the person has changed. */
function Form({ guid, body }: { guid: string; body: Body }) {
  const [state, setState] = useState<{ saved?: boolean; busy?: boolean; error?: unknown }>({});
  const writes = may('ingest:write');
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    // The button is not disabled meanwhile: it would lose the focus.
    if (state.busy) return;
    const form = event.currentTarget as HTMLFormElement;
    setState({ busy: true });
    try {
      await daypart.request('PUT', `/restaurants/${guid}`, { body: bodyOf(new FormData(form)) });
      settle(form);
      setState({ saved: true });
      await loadGroup();
    } catch (error) {
      setState({ error });
    }
  };
  const { error } = state;
  const wrong = new Map(
    error instanceof InvalidRequestError ? error.errors.map((one) => [one.pointer.slice(1), one.message]) : [],
  );
  return (
    <form class="stack" onSubmit={save} onInput={() => state.saved && setState({})}>
      {FIELDS.map((field) => (
        <label class="field" key={field.name}>
          <span>{field.label}</span>
          <input
            name={field.name}
            inputMode={'numeric' in field ? 'decimal' : 'text'}
            defaultValue={body[field.name] ?? ''}
            readOnly={!writes || state.busy}
            aria-invalid={wrong.has(field.name)}
          />
          {wrong.has(field.name) && (
            <small class="wrong" role="alert">
              {wrong.get(field.name)}
            </small>
          )}
          {'note' in field && <small>{field.note}</small>}
        </label>
      ))}
      <label class="check">
        <input type="checkbox" name="refundsOn" defaultChecked={body.refundsOn === 'order'} disabled={!writes} />
        Refunds count on the date of their order: otherwise on the day they are given
      </label>
      {FLAGS.map(({ name, label }) => (
        <label class="check" key={name}>
          <input type="checkbox" name={name} defaultChecked={body[name]} disabled={!writes} />
          {label}
        </label>
      ))}
      {!FIELDS.some(({ name }) => wrong.has(name)) && <FieldErrors error={error} />}
      {writes ? (
        <div class="row">
          <button type="submit" class="button primary">
            Save
          </button>
          <span role="status" class="muted">
            {state.saved && 'Saved'}
          </span>
        </div>
      ) : (
        <p class="note">Changes need the scope ingest:write.</p>
      )}
    </form>
  );
}
