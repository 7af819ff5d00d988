/** The editor of dayparts: their names and the hours at which they begin. Each ends at the beginning of the next. */
import type { DaypartHours } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../data/client.ts';
import { useGroup } from '../data/group.ts';
import { loadGroup } from '../data/group-load.ts';
import { useLoad } from '../data/load.ts';
import { may } from '../data/session.ts';
import { sayHour } from '../model/dates.ts';
import { FieldErrors } from './field-errors.tsx';
import { Loaded } from './state.tsx';

interface Begin {
  name: string;
  hour: number;
}

const two = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Dayparts that cover the whole day, made from the hours at which they begin. */
function coverDay(begins: Begin[]): DaypartHours[] {
  const sorted = [...begins].sort((a, b) => a.hour - b.hour);
  return sorted.map(({ name, hour }, at) => {
    const next = sorted[(at + 1) % sorted.length] ?? { hour };
    return { name, from: two(hour), to: two(next.hour) };
  });
}

interface EditorProps {
  /** The dayparts of the group, or of a restaurant. */
  path: string;
  /** Whether the restaurant's own dayparts can be removed, so that those of the group apply. */
  removable?: boolean;
}

export function DaypartEditor({ path, removable = false }: EditorProps) {
  const { watermark } = useGroup();
  const [turn, setTurn] = useState(0);
  const load = useLoad(`dayparts ${path} ${watermark} ${turn}`, async ({ signal }) => {
    const { dayparts } = await daypart.request<{ dayparts: DaypartHours[] }>('GET', path, { signal });
    return dayparts;
  });
  const onSaved = (): void => {
    setTurn(turn + 1);
    void loadGroup();
  };
  return (
    <Loaded load={load} height={240}>
      {(dayparts) => (
        <Fields
          key={JSON.stringify(dayparts)}
          path={path}
          dayparts={dayparts}
          removable={removable}
          onSaved={onSaved}
        />
      )}
    </Loaded>
  );
}

function Fields(props: EditorProps & { dayparts: DaypartHours[]; onSaved: () => void }) {
  const { path, dayparts, removable = false, onSaved } = props;
  const [begins, setBegins] = useState<Begin[]>(
    dayparts.map(({ name, from }) => ({ name, hour: Number(from.slice(0, 2)) })),
  );
  const [error, setError] = useState<unknown>();
  const writes = may('ingest:write');
  const change = (at: number, changes: Partial<Begin>): void =>
    setBegins(begins.map((begin, index) => (index === at ? { ...begin, ...changes } : begin)));
  const send = async (method: string, body?: object): Promise<void> => {
    try {
      setError(undefined);
      await daypart.request(method, path, body ? { body } : {});
    } catch (caught) {
      // The answer to a DELETE has no body, so it cannot be read as JSON.
      if (method !== 'DELETE') return setError(caught);
    }
    onSaved();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send('PUT', { dayparts: coverDay(begins) });
      }}
    >
      {begins.map((begin, at) => (
        <BeginRow
          key={at}
          begin={begin}
          at={at}
          writes={writes}
          change={(changes) => change(at, changes)}
          remove={begins.length > 1 ? () => setBegins(begins.filter((_, index) => index !== at)) : undefined}
        />
      ))}
      <FieldErrors error={error} />
      {writes && (
        <div class="row">
          <button type="submit" class="button primary">
            Save
          </button>
          <button type="button" class="button" onClick={() => setBegins([...begins, { name: '', hour: 0 }])}>
            Add
          </button>
          {removable && (
            <button type="button" class="button quiet" onClick={() => void send('DELETE')}>
              As in the group
            </button>
          )}
        </div>
      )}
    </form>
  );
}

interface BeginProps {
  begin: Begin;
  at: number;
  writes: boolean;
  change: (changes: Partial<Begin>) => void;
  /** Undefined if there is only one daypart, which cannot be removed. */
  remove: (() => void) | undefined;
}

function BeginRow({ begin, at, writes, change, remove }: BeginProps) {
  return (
    <div class="row nowrap">
      <input
        class="input grow"
        aria-label={`Name of daypart ${at + 1}`}
        value={begin.name}
        readOnly={!writes}
        required
        maxLength={40}
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
      <select
        class="input hour"
        aria-label={`First hour of ${begin.name}`}
        value={begin.hour}
        disabled={!writes}
        onChange={(event) => change({ hour: Number(event.currentTarget.value) })}
      >
        {Array.from({ length: 24 }, (_, hour) => (
          <option key={hour} value={hour}>
            from {sayHour(hour)}
          </option>
        ))}
      </select>
      {writes && remove && (
        <button type="button" class="button small quiet" aria-label={`Remove ${begin.name}`} onClick={remove}>
          Remove
        </button>
      )}
    </div>
  );
}
