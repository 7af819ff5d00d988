/** The differences between two reports of the same request, check by check: why a figure of yesterday has changed. */
import { type ControlTotals, cents, type ReportStatus } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../../data/client.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { usePlace } from '../../data/router.ts';
import { Loaded } from '../../features/state.tsx';
import { formatDate, formatInstant } from '../../model/dates.ts';
import { formatCount, formatMoney } from '../../model/money.ts';
import { Card, shortGuid } from '../../widgets/card.tsx';
import { DataTable } from '../../widgets/table.tsx';

interface Figure {
  before: number | string | null;
  after: number | string | null;
  change?: number | string | null;
}

interface Changed {
  restaurantGuid: string;
  businessDate: string;
  change: 'ADDED' | 'REMOVED' | 'CHANGED';
  orderNumber?: number | null;
  checkNumber?: number | null;
  orderGuid?: string;
  checkGuid?: string;
  timeEntryGuid?: string;
  figures: Record<string, Figure>;
}

interface ChangesAnswer {
  asOf: string;
  sinceAsOf: string;
  controlTotals: { before: ControlTotals[]; after: ControlTotals[]; change: ControlTotals[] };
  checks: Changed[];
  orders?: Changed[];
  timeEntries?: Changed[];
  nextCursor: string | null;
}

const CHANGES_A_PAGE = 200;

async function readChanges(guid: string, since: string, pages: number, signal: AbortSignal): Promise<ChangesAnswer> {
  const path = `/reports/${guid}/changes?since=${encodeURIComponent(since)}&limit=${CHANGES_A_PAGE}`;
  const all = await daypart.request<ChangesAnswer>('GET', path, { signal });
  for (let page = 1; page < pages && all.nextCursor !== null; page++) {
    const next = await daypart.request<ChangesAnswer>('GET', `${path}&cursor=${encodeURIComponent(all.nextCursor)}`, {
      signal,
    });
    all.checks.push(...next.checks);
    all.orders?.push(...(next.orders ?? []));
    all.timeEntries?.push(...(next.timeEntries ?? []));
    all.nextCursor = next.nextCursor;
  }
  return all;
}

export function Changes({ report }: { report: ReportStatus }) {
  const { search } = usePlace();
  const guid = report.reportRequestGuid;
  const since = new URLSearchParams(search).get('since') ?? '';
  const [pages, setPages] = useState(1);
  const load = useLoad(since ? `changes ${guid} ${since} ${pages}` : undefined, ({ signal }) =>
    readChanges(guid, since, pages, signal),
  );
  if (!since)
    return (
      <p class="card">
        Choose an earlier report at <a href={`/reports/${guid}`}>report {shortGuid(guid)}</a>.
      </p>
    );
  return (
    <Loaded load={load} height={400}>
      {(changes) => (
        <div class="cards">
          <Card
            title="In all"
            aside={`from ${formatInstant(changes.sinceAsOf)} to ${formatInstant(changes.asOf)}`}
            guid={guid}
          >
            <InAll totals={changes.controlTotals} />
          </Card>
          <ChangedCard title="Checks" rows={changes.checks} />
          <ChangedCard title="Orders" rows={changes.orders ?? []} />
          <ChangedCard title="Time entries" rows={changes.timeEntries ?? []} />
          {changes.nextCursor !== null && (
            <button type="button" class="button" onClick={() => setPages(pages + 1)}>
              More changes
            </button>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** A figure in the format of its field. */
function figureText(field: string, value: number | string | null | undefined, currency: string | null): string {
  if (value === null || value === undefined) return '–';
  return /Amount$|Pay$/.test(field) ? formatMoney(cents(value), currency) : String(value);
}

const fieldWords = (field: string): string =>
  field
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/ amount$/, '');

function InAll({ totals: { before, after, change } }: { totals: ChangesAnswer['controlTotals'] }) {
  const changed = change.flatMap((entry) =>
    Object.entries(entry)
      .filter(([field, value]) => field !== 'currencyCode' && Number(value) !== 0)
      .map(([field, value]) => ({ field, value, currency: entry.currencyCode })),
  );
  const of = (all: ControlTotals[], currency: string | null, field: string) =>
    all.find(({ currencyCode }) => currencyCode === currency)?.[field];
  if (changed.length === 0) return <p class="state">Nothing changed in the totals.</p>;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {changed.map(({ field, value, currency }) => (
          <tr key={`${currency} ${field}`}>
            <th scope="row">
              {fieldWords(field)} {currency && <span class="tag">{currency}</span>}
            </th>
            <td>{figureText(field, of(before, currency, field), currency)}</td>
            <td>{figureText(field, of(after, currency, field), currency)}</td>
            <td>{figureText(field, value, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CHANGE_WORDS = { ADDED: 'added', REMOVED: 'removed', CHANGED: 'changed' };

const guidOf = ({ checkGuid, timeEntryGuid, orderGuid }: Changed): string =>
  checkGuid ?? timeEntryGuid ?? orderGuid ?? '';

/** "net sales $9.00 → $12.00, orders 1 → 2" */
const figuresOf = ({ figures }: Changed, currency: string | null): string =>
  Object.entries(figures)
    .map(
      ([field, { before, after }]) =>
        `${fieldWords(field)} ${figureText(field, before, currency)} → ${figureText(field, after, currency)}`,
    )
    .join(', ');

function ChangedCard({ title, rows }: { title: string; rows: Changed[] }) {
  const { byGuid } = useGroup();
  if (rows.length === 0) return null;
  return (
    <Card title={title} aside={formatCount(rows.length)} bleed>
      <DataTable
        label={`Table, ${title.toLowerCase()}`}
        rows={rows}
        keyOf={guidOf}
        columns={[
          { title: 'Which', cell: (row: Changed) => row.checkNumber ?? row.orderNumber ?? shortGuid(guidOf(row)) },
          {
            title: 'Restaurant',
            className: 'left',
            cell: ({ restaurantGuid: guid }) => byGuid.get(guid)?.name ?? shortGuid(guid),
          },
          { title: 'Date', className: 'left wide', cell: ({ businessDate }) => formatDate(businessDate, 'day') },
          { title: 'What', className: 'left', cell: ({ change }) => CHANGE_WORDS[change] },
          {
            title: 'Figures',
            className: 'left wrap',
            cell: (row) => figuresOf(row, byGuid.get(row.restaurantGuid)?.currencyCode ?? null),
          },
        ]}
      />
    </Card>
  );
}
