/** The checks of a restaurant: searched, ordered, and limited to those that deserve a look. */
import { cents } from '@daypart/client';
import { useMemo } from 'preact/hooks';
import { type Check, readChecks } from '../../data/checks.ts';
import { useGroup } from '../../data/group.ts';
import { useLoadOf } from '../../data/periods.ts';
import { latestOf, type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { SortHead } from '../../features/restaurant-table.tsx';
import { Foot, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { changeView, choose, DateTools, useChoice } from '../../features/tools.tsx';
import { formatDate, formatTime } from '../../model/dates.ts';
import { formatCount, formatMoney } from '../../model/money.ts';
import { columnIn, type Order, sortBy, sortsOf } from '../../model/order.ts';
import { periodsOf, readView } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { Segments } from '../../widgets/controls.tsx';
import { Windowed } from '../../widgets/windowed.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { ServersCard } from './servers-card.tsx';
import { Description, RestaurantTabs, type TabProps } from './tabs.tsx';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'voided', label: 'Voided' },
  { value: 'discounted', label: 'Discounted' },
  { value: 'refunded', label: 'Refunded' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

const IS: Record<Kind, (check: Check) => boolean> = {
  all: () => true,
  // As in the number of open orders: what is paid can still change until it is closed.
  open: ({ checkVoidedStatus, checkStatus }) => !checkVoidedStatus && checkStatus !== 'CLOSED',
  voided: ({ checkVoidedStatus }) => checkVoidedStatus,
  discounted: ({ checkDiscountAmount }) => checkDiscountAmount > 0,
  refunded: ({ checkRefundAmount }) => checkRefundAmount > 0,
};

interface CheckColumn {
  name: string;
  title: string;
  /** `left` aligns the column as text, `wide` hides it on phones. */
  className?: string;
  order: Order<Check>;
  cell: (check: Check) => string;
}

/** The columns of a check; times are local to the restaurant. */
function checkColumns(currency: string | null, timeZone: string, isDay: boolean): CheckColumn[] {
  const money = (name: string, title: string, of: (check: Check) => number): CheckColumn => ({
    name,
    title,
    order: of,
    cell: (check) => (of(check) === 0 ? '–' : formatMoney(cents(of(check)), currency)),
  });
  const date: CheckColumn = {
    name: 'date',
    title: 'Date',
    className: 'left',
    order: ({ orderOpenDate }) => orderOpenDate,
    cell: ({ orderOpenDate }) => formatDate(orderOpenDate, 'short'),
  };
  return [
    ...(isDay ? [] : [date]),
    {
      name: 'paid',
      title: 'Paid',
      className: 'left',
      order: ({ checkPaidDateTime }) => checkPaidDateTime,
      cell: ({ checkPaidDateTime }) => (checkPaidDateTime ? formatTime(checkPaidDateTime, timeZone) : '–'),
    },
    {
      name: 'status',
      title: 'Status',
      className: 'left',
      order: statusOf,
      cell: statusOf,
    },
    {
      name: 'dining',
      title: 'Dining option',
      className: 'left wide',
      order: (check) => check.diningOption,
      cell: (check) => check.diningOption,
    },
    {
      name: 'server',
      title: 'Server',
      className: 'left wide',
      order: (check) => check.serverName,
      cell: (check) => check.serverName ?? '–',
    },
    money('total', 'Total', ({ checkTotalAmount }) => checkTotalAmount),
    money('discount', 'Discount', ({ checkDiscountAmount }) => checkDiscountAmount),
    money('tax', 'Tax', ({ checkTaxAmount }) => checkTaxAmount),
    money('tip', 'Tip', ({ checkTipAmount }) => checkTipAmount),
    money('gratuity', 'Gratuity', ({ checkGratuityAmount }) => checkGratuityAmount),
    money('refund', 'Refund', ({ checkRefundAmount }) => checkRefundAmount),
  ];
}

const statusOf = ({ checkVoidedStatus, checkStatus }: Check): string =>
  checkVoidedStatus ? 'Voided' : checkStatus.charAt(0) + checkStatus.slice(1).toLowerCase();

const has = ({ checkNumber, orderNumber, serverName, diningOption, revenueCenter }: Check, typed: string): boolean =>
  [checkNumber, orderNumber, serverName, diningOption, revenueCenter].join(' ').toLowerCase().includes(typed);

export function Checks({ restaurant }: TabProps) {
  const group = useGroup();
  const { search } = usePlace();
  const { guid, currencyCode, timeZone } = restaurant;
  const { view, notices } = readView(
    search,
    { kind: KINDS, sort: sortsOf(checkColumns(null, timeZone, false)) },
    todayOf([restaurant]),
  );
  const latest = latestOf(restaurant, group);
  const { period } = periodsOf(view, latest);
  const load = useLoadOf(`checks ${guid}`, { period }, (reading) => readChecks(period, [guid], reading));
  const { data } = load;
  const isDay = period.start === period.end;
  const columns = useMemo(() => checkColumns(currencyCode, timeZone, isDay), [currencyCode, timeZone, isDay]);
  return (
    <Screen
      title={restaurant.name}
      crumb={{ name: 'Restaurants', href: '/restaurants' }}
      sub={<Description restaurant={restaurant} />}
      tools={
        <>
          <DateTools
            view={view}
            period={period}
            latest={latest}
            newest={restaurant.lastBusinessDate ?? latest}
            compares={false}
          />
          <ExportButton name="Checks" guid={data?.guid} path="/check" />
        </>
      }
    >
      <RestaurantTabs guid={guid} />
      <Notices notices={notices} />
      <Loaded load={load} height={480}>
        {({ rows, guid: report }) => (
          <div class="cards">
            <CheckCard
              restaurant={restaurant}
              checks={rows}
              guid={report}
              typed={view.q}
              sort={view.sort ?? 'date'}
              columns={columns}
            />
            <ServersCard
              servers={Map.groupBy(rows, ({ serverName }) => serverName)}
              currency={currencyCode}
              guid={report}
            />
          </div>
        )}
      </Loaded>
      <Foot
        guid={data?.guid}
        asOf={data?.asOf}
        note={`Times are local: ${timeZone.replaceAll('_', ' ')}`}
        about="check-records"
      />
    </Screen>
  );
}

interface CheckCardProps {
  restaurant: Restaurant;
  checks: Check[];
  guid: string;
  typed: string;
  sort: string;
  columns: CheckColumn[];
}

const sayOrders = (orders: number): string =>
  `of ${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}, not closed`;

const onSort = (sort: string): void => changeView({ sort });

function CheckCard({ restaurant, checks, guid, typed, sort, columns }: CheckCardProps) {
  const [kind, setKind] = useChoice<Kind>('kind', KINDS);
  const shown = useMemo(() => {
    const text = typed.trim().toLowerCase();
    return sortBy(
      checks.filter((check) => IS[kind](check) && has(check, text)),
      columns.find(({ name }) => name === columnIn(sort))?.order,
      sort,
    );
  }, [checks, kind, typed, sort, columns]);
  const inAddress = new URLSearchParams(usePlace().search).get('check');
  const opened = inAddress && checks.find(({ checkGuid }) => checkGuid === inAddress);
  const head = (
    <>
      <th scope="col">Check</th>
      {columns.map(({ name, title, className = '' }) => (
        <SortHead key={name} name={name} title={title} sort={sort} onSort={onSort} sortable className={className} />
      ))}
    </>
  );
  return (
    <Card
      title={`${formatCount(shown.length)} ${shown.length === 1 ? 'check' : 'checks'}`}
      aside={kind === 'open' && sayOrders(Map.groupBy(shown, ({ orderGuid }) => orderGuid).size)}
      guid={guid}
      bleed
      end={
        <>
          <Segments label="Which checks" options={KINDS} value={kind} onChange={setKind} small />
          <input
            class="input search"
            type="search"
            aria-label="Search checks by number, server or dining option"
            placeholder="Number, server, dining option"
            value={typed}
            onInput={(event) => changeView({ q: event.currentTarget.value }, true)}
          />
        </>
      }
    >
      {shown.length === 0 ? (
        <p class="state">
          <b>No checks.</b> {checks.length > 0 ? 'None matches the search.' : 'There are none on these dates.'}
        </p>
      ) : (
        <Windowed
          label="checks"
          head={head}
          columns={columns.length + 1}
          count={shown.length}
          row={(at) => {
            const check = shown[at];
            return (
              check && (
                <>
                  <th scope="row">
                    <button type="button" class="pick" onClick={() => choose('check', check.checkGuid)}>
                      {check.checkNumber ?? check.checkGuid.slice(0, 8)}
                    </button>
                  </th>
                  {columns.map(({ name, className, cell }) => (
                    <td key={name} class={className}>
                      {cell(check)}
                    </td>
                  ))}
                </>
              )
            );
          }}
        />
      )}
      {opened && (
        <CheckDialog
          restaurant={restaurant}
          check={opened}
          status={statusOf(opened)}
          onClose={() => choose('check', '')}
        />
      )}
    </Card>
  );
}
