/** Items, groups, menus or modifiers as rows, and the trend of one of them. */
import type { ComponentChildren } from 'preact';
import { ShareBar } from '../../charts/date-line.tsx';
import { classOf, SortHeads } from '../../features/restaurant-table.tsx';
import { changeView } from '../../features/tools.tsx';
import { changeOf } from '../../model/change.ts';
import { averagePriceOf, type Mixed } from '../../model/mix.ts';
import { formatCount, formatMoney } from '../../model/money.ts';
import { columnIn, type Order, sortBy, sortsOf } from '../../model/order.ts';
import { Card } from '../../widgets/card.tsx';
import { ChangeMark } from '../../widgets/change.tsx';
import { Windowed } from '../../widgets/windowed.tsx';
import { type Trend, TrendCard } from './trend-card.tsx';

interface MixColumn {
  name: string;
  title: string;
  wide: boolean;
  className?: string;
  order: Order<Mixed>;
  cell: (mixed: Mixed, most: number) => ComponentChildren;
}

/** An amount with its sign: "+$120", "−$45". */
const signed = (amount: number | undefined, currency: string | null): string =>
  amount === undefined ? '–' : `${amount >= 50 ? '+' : ''}${formatMoney(amount, currency, 'whole')}`;

function mixColumns(compared: boolean, currency: string | null): MixColumn[] {
  const money = (name: string, title: string, of: (mixed: Mixed) => number): MixColumn => ({
    name,
    title,
    wide: true,
    order: of,
    cell: (mixed) => (of(mixed) === 0 ? '–' : formatMoney(of(mixed), currency)),
  });
  const comparison: MixColumn[] = [
    {
      name: 'change',
      title: 'Change',
      wide: false,
      order: ({ netCents, before }) => (before && before.netCents > 0 ? netCents / before.netCents : undefined),
      cell: ({ netCents, before }) => (
        <ChangeMark change={changeOf(netCents, before?.netCents)} note={before ? '–' : 'new'} />
      ),
    },
    {
      name: 'by-quantity',
      title: 'By quantity',
      wide: true,
      order: ({ byQuantity }) => byQuantity,
      cell: ({ byQuantity }) => signed(byQuantity, currency),
    },
    {
      name: 'by-price',
      title: 'By price',
      wide: true,
      order: ({ byPrice }) => byPrice,
      cell: ({ byPrice }) => signed(byPrice, currency),
    },
  ];
  return [
    {
      name: 'net',
      title: 'Net sales',
      wide: false,
      order: ({ netCents }) => netCents,
      cell: ({ netCents }) => <span class="strong">{formatMoney(netCents, currency)}</span>,
    },
    {
      name: 'share',
      title: '',
      wide: true,
      className: 'track',
      order: () => undefined,
      cell: ({ netCents }, most) => <ShareBar share={netCents / Math.max(1, most)} />,
    },
    ...(compared ? comparison : []),
    {
      name: 'quantity',
      title: 'Sold',
      wide: false,
      order: ({ quantity }) => quantity,
      cell: ({ quantity }) => formatCount(quantity),
    },
    {
      name: 'price',
      title: 'Avg price',
      wide: true,
      order: averagePriceOf,
      cell: (mixed) => {
        const price = averagePriceOf(mixed);
        return price === undefined ? '–' : formatMoney(Math.round(price), currency);
      },
    },
    money('discounts', 'Discounts', ({ discountCents }) => discountCents),
    money('voids', 'Voids', ({ voidCents }) => voidCents),
    money('waste', 'Waste', ({ wasteCents }) => wasteCents),
  ];
}

/** What the rows can be ordered by. */
export const MIX_SORTS = ['name', ...sortsOf(mixColumns(true, null))];

interface MixTableProps {
  mixed: Mixed[];
  compared: boolean;
  currency: string | null;
  guid: string;
  typed: string;
  sort: string;
  trend: Trend;
  onItem: (guid: string) => void;
}

const onSort = (sort: string): void => changeView({ sort: sort === '-net' ? undefined : sort });

export function MixTable({ mixed, compared, currency, guid, typed, sort, trend, onItem }: MixTableProps) {
  const columns = mixColumns(compared, currency);
  const found = mixed.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const sorted = sortBy(
    found,
    columnIn(sort) === 'name' ? ({ name }: Mixed) => name : columns.find(({ name }) => name === columnIn(sort))?.order,
    sort,
  );
  const most = Math.max(0, ...mixed.map(({ netCents }) => netCents));
  const chosen = mixed.find((one) => one.guid !== '' && one.guid === trend.item);
  const head = <SortHeads title="Name" columns={columns} sort={sort} onSort={onSort} />;
  const cells = (row: Mixed) => (
    <>
      <th scope="row">
        {row.guid ? (
          <button type="button" class="link" aria-pressed={row.guid === trend.item} onClick={() => onItem(row.guid)}>
            {row.name}
          </button>
        ) : (
          row.name
        )}
      </th>
      {columns.map((column) => (
        <td key={column.name} class={classOf(column)}>
          {column.cell(row, most)}
        </td>
      ))}
    </>
  );
  return (
    <div class="cards">
      {chosen && (
        <TrendCard key={chosen.guid} name={chosen.name} trend={trend} currency={currency} onClose={() => onItem('')} />
      )}
      <Card
        title="What was sold"
        aside={
          sorted.length === mixed.length
            ? formatCount(mixed.length)
            : `${formatCount(sorted.length)} of ${formatCount(mixed.length)}`
        }
        guid={guid}
        bleed
        end={
          <input
            class="input search"
            type="search"
            aria-label="Search by name"
            placeholder="Search"
            value={typed}
            onInput={(event) => changeView({ q: event.currentTarget.value }, true)}
          />
        }
      >
        {sorted.length === 0 ? (
          <p class="state">
            <b>Nothing sold.</b>{' '}
            {mixed.length > 0 ? 'No name matches the search.' : 'No items are loaded for these dates.'}
          </p>
        ) : (
          <Windowed
            label="what was sold"
            head={head}
            columns={columns.length + 1}
            count={sorted.length}
            row={(at) => {
              const row = sorted[at];
              return row && cells(row);
            }}
          />
        )}
      </Card>
    </div>
  );
}
