/** A new report: a form, and the same call as a curl command. */
import { useState } from 'preact/hooks';
import { BASE, daypart } from '../../data/client.ts';
import { FAMILIES, type FamilyForm, familyOf } from '../../data/families.ts';
import { useGroup } from '../../data/group.ts';
import { navigate, usePlace } from '../../data/router.ts';
import { FieldErrors } from '../../features/field-errors.tsx';
import { Screen } from '../../features/screen.tsx';
import { isoDate, readDate } from '../../model/dates.ts';
import { constantWords } from '../../model/locale.ts';
import { Card } from '../../widgets/card.tsx';
import { copyText } from '../../widgets/copy.ts';

interface Ask {
  family: FamilyForm;
  range: string;
  start: string;
  end: string;
  groups: string[];
  aggregate: string;
  restaurants: string[];
}

/** The call for a request: its path below the base URL, and its body. */
function callFor({ family, range, start, end, groups, aggregate, restaurants }: Ask): {
  path: string;
  body: object;
} {
  const query = aggregate && aggregate !== 'DAY' ? `?aggregateBy=${aggregate}` : '';
  const body = {
    [family.dates.start]: start,
    [family.dates.end]: range === 'day' ? start : end,
    ...(restaurants.length > 0 ? { restaurantIds: restaurants } : {}),
    ...(groups.length > 0 ? { groupBy: groups } : {}),
  };
  return { path: `${family.path}${range === 'custom' ? '' : `/${range}`}${query}`, body };
}

/** The same call for a terminal. A quote in the body would end its string. */
const curlOf = (path: string, body: object): string =>
  [
    `curl -X POST "${location.origin}${BASE}${path}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    '  -H "Content-Type: application/json"',
    `  -d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`,
  ].join(' \\\n');

export function NewReport() {
  const group = useGroup();
  const { search } = usePlace();
  const [ask, setAsk] = useState<Ask>({
    family: familyOf(new URLSearchParams(search).get('kind') ?? 'metrics'),
    range: 'week',
    start: group.latest,
    end: group.latest,
    groups: [],
    aggregate: '',
    restaurants: [],
  });
  const [state, setState] = useState<{ busy?: boolean; error?: unknown; copied?: boolean }>({});
  const change = (changes: Partial<Ask>): void => {
    setState({});
    setAsk({ ...ask, ...changes });
  };
  const { path, body } = callFor(ask);
  const curl = curlOf(path, body);
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setState({ busy: true });
    try {
      navigate(`/reports/${await daypart.request<string>('POST', path, { body })}`);
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Screen title="New report" crumb={{ name: 'Reports', href: '/reports' }}>
      <form class="cards" onSubmit={create}>
        <Card title="What" width={6}>
          <Fields ask={ask} change={change} />
          <FieldErrors error={state.error} />
          <div class="row actions">
            <button type="submit" class="button primary" disabled={state.busy}>
              Create
            </button>
          </div>
        </Card>
        <Card title="The same call" width={6}>
          <div class="stack">
            <pre class="code">{curl}</pre>
            <div class="row">
              <button
                type="button"
                class="button small"
                onClick={async () => setState({ copied: await copyText(curl) })}
              >
                Copy
              </button>
              <span role="status" class="muted">
                {state.copied && 'Copied'}
              </span>
            </div>
            <p class="note">
              The answer is a reportRequestGuid. <a href="/docs/reference">Every operation</a> is described in the docs.
            </p>
          </div>
        </Card>
      </form>
    </Screen>
  );
}

interface FieldsProps {
  ask: Ask;
  change: (changes: Partial<Ask>) => void;
}

function Fields(props: FieldsProps) {
  return (
    <div class="stack">
      <KindFields {...props} />
      <DateFields {...props} />
      <SplitFields {...props} />
      <RestaurantField {...props} />
    </div>
  );
}

function KindFields({ ask: { family, range }, change }: FieldsProps) {
  return (
    <>
      <label class="field">
        <span>Kind</span>
        <select
          value={family.kind}
          onChange={(event) => {
            const next = familyOf(event.currentTarget.value);
            change({
              family: next,
              groups: [],
              aggregate: '',
              range: next.ranges.some((one) => one === range) ? range : 'day',
            });
          }}
        >
          {FAMILIES.map(({ kind, label }) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Range</span>
        <select value={range} onChange={(event) => change({ range: event.currentTarget.value })}>
          {family.ranges.map((one) => (
            <option key={one} value={one}>
              {RANGES[one]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function DateFields({ ask: { range, start, end }, change }: FieldsProps) {
  return (
    <div class="row">
      <label class="field grow">
        <span>First date</span>
        <input
          type="date"
          required
          value={isoDate(start)}
          onChange={(event) => {
            const date = readDate(event.currentTarget.value);
            if (date) change({ start: date, end: end < date ? date : end });
          }}
        />
      </label>
      {range !== 'day' && (
        <label class="field grow">
          <span>Last date</span>
          <input
            type="date"
            required
            value={isoDate(end)}
            onChange={(event) => change({ end: readDate(event.currentTarget.value) ?? end })}
          />
        </label>
      )}
    </div>
  );
}

function SplitFields({ ask: { family, groups, aggregate }, change }: FieldsProps) {
  const toggle = (group: string, on: boolean): void =>
    change({ groups: on ? [...groups, group] : groups.filter((one) => one !== group) });
  return (
    <>
      {family.aggregates.length > 0 && (
        <label class="field">
          <span>Rows by</span>
          <select value={aggregate} onChange={(event) => change({ aggregate: event.currentTarget.value })}>
            {family.aggregates.map((one) => (
              <option key={one} value={one === 'DAY' ? '' : one}>
                {constantWords(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {family.groups.length > 0 && (
        <fieldset class="plain-set">
          <legend>Split by, at most {family.mostGroups}</legend>
          {family.groups.map((group) => (
            <label class="check" key={group}>
              <input
                type="checkbox"
                checked={groups.includes(group)}
                disabled={!groups.includes(group) && groups.length >= family.mostGroups}
                onChange={(event) => toggle(group, event.currentTarget.checked)}
              />
              {constantWords(group)}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function RestaurantField({ change }: FieldsProps) {
  const { restaurants } = useGroup();
  return (
    <label class="field">
      <span>Restaurants</span>
      <select
        multiple
        size={6}
        onChange={(event) =>
          change({ restaurants: [...event.currentTarget.selectedOptions].map(({ value }) => value) })
        }
      >
        {restaurants.map(({ guid, name }) => (
          <option key={guid} value={guid}>
            {name}
          </option>
        ))}
      </select>
      <small>None chosen: all that are in use</small>
    </label>
  );
}

const RANGES: Record<string, string> = {
  day: 'Day',
  week: 'Week, at most 7 dates',
  month: 'Month, at most 31 dates',
  year: 'Year, at most 366 dates',
  custom: 'Custom, at most 366 dates',
};
