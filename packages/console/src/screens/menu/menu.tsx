/** The menu: sales by item, against the comparison, with price and quantity separate. */
import { cents } from '@daypart/client';
import { type PairedAnswers, readPaired } from '../../data/compared.ts';
import { chosenCurrency, codesOf, restaurantsIn, useGroup } from '../../data/group.ts';
import { LEVELS, type MenuGroup, type MenuTotal, menuTotals } from '../../data/menu.ts';
import { useLoadOf } from '../../data/periods.ts';
import type { Answer } from '../../data/question.ts';
import { useIncomplete } from '../../data/report.ts';
import { todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { CurrencyChoice } from '../../features/currency-choice.tsx';
import { ExportButton } from '../../features/export.tsx';
import { Incomplete } from '../../features/incomplete.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { choose, DateTools } from '../../features/tools.tsx';
import { type Change, changeOf, pointsOf } from '../../model/change.ts';
import { ratio } from '../../model/figures.ts';
import { datesNote, isComparable, ofCurrency, unmatchedNote } from '../../model/like-for-like.ts';
import { averagePriceOf, type Mixed, mixOf, type Sold } from '../../model/mix.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import { partialDayOf } from '../../model/partial-day.ts';
import { isDay, type Periods } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Segments, Select } from '../../widgets/controls.tsx';
import { FigureList, type Listed } from '../../widgets/figures.tsx';
import { PartialDayTag, sayPartialDay } from '../../widgets/partial-day.tsx';
import { MIX_SORTS, MixTable } from './mix-table.tsx';

const CHOICES = [
  { value: 'MENU_ITEM', label: 'Items' },
  { value: 'MENU_GROUP', label: 'Groups' },
  { value: 'MENU', label: 'Menus' },
  { value: 'MODIFIER', label: 'Modifiers' },
] as const;

/** The sales in totals of one currency. */
export function soldOf(totals: MenuTotal[], level: MenuGroup): Sold[] {
  const { guid, name } = LEVELS[level];
  return totals.map((total) => ({
    guid: String(total[guid] ?? ''),
    name: String(total[name] ?? 'Without a name'),
    netCents: cents(total.netSalesAmount),
    grossCents: cents(total.grossSalesAmount),
    quantity: total.quantitySold,
    discountCents: cents(total.discountAmount),
    voidCents: cents(total.voidAmount),
    wasteCents: cents(total.wasteAmount),
  }));
}

export function Menu() {
  const group = useGroup();
  const { search } = usePlace();
  const known = { by: CHOICES, r: group.byGuid.keys(), cur: codesOf(group), sort: MIX_SORTS };
  const { view, notices, parameters } = readView(search, known, todayOf(group.used));
  const periods = periodsOf(view, group.latest);
  const { period, comparison } = periods;
  const level = (parameters.get('by') ?? 'MENU_ITEM') as MenuGroup;
  const restaurants = restaurantsIn(group, parameters.get('r'));
  const [restaurant] = restaurants;
  const name = restaurants.length === 1 ? restaurant?.name : `${restaurants.length} restaurants`;
  const currency = restaurants.length === 1 && restaurant ? restaurant.currencyCode : chosenCurrency(group, view.cur);
  const ids = restaurants.map(({ guid }) => guid);
  const load = useLoadOf('menu', { period, comparison, level, ids }, (reading) =>
    readPaired(period, comparison, [LEVELS[level].by], (some, by) => menuTotals(some, level, ids, by, reading)),
  );
  const { data } = load;
  const listed = restaurant ? restaurants : group.used;
  const isListed = restaurants.length === 1 && restaurant && group.used.includes(restaurant);
  const partialDay = partialDayOf(listed, load.shown.period.end, Date.now());
  const incomplete = useIncomplete(data?.now.guid);
  return (
    <Screen
      title={`Menu, ${titleOf(period)}`}
      sub={
        <>
          {restaurant && <span>{name}</span>}
          {restaurants.length !== 1 && <CurrencyChoice currency={currency} />}
          <PartialDayTag partialDay={partialDay} />
        </>
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} />
          <ExportButton name="What was sold" guid={data?.now.guid} path="/menu" />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes notes={[sayPartialDay({ partialDay, restaurants: listed.length, period, comparison })]} />
      <Incomplete days={incomplete.data} />
      <div class="row">
        <Segments
          label="By"
          options={CHOICES}
          value={level}
          onChange={(value) => choose('by', value === 'MENU_ITEM' ? '' : value)}
        />
        <Select
          label="Restaurant"
          value={ids.join()}
          options={[
            { value: '', label: 'All restaurants' },
            // Several, or one that is not in use.
            ...(restaurant && !isListed ? [{ value: ids.join(), label: name ?? '' }] : []),
            ...group.used.map(({ guid, name }) => ({ value: guid, label: name })),
          ]}
          onChange={(value) => choose('r', value)}
        />
      </div>
      <Loaded load={load} height={480}>
        {(answers) => (
          <Sales
            answers={answers}
            currency={currency}
            typed={view.q}
            sort={view.sort ?? '-net'}
            item={parameters.get('item') ?? ''}
            shown={load.shown}
            isRunning={partialDay !== undefined && isDay(load.shown.period)}
          />
        )}
      </Loaded>
      <Foot guid={data?.now.guid} before={data?.before?.guid} asOf={data?.now.asOf} about="menu" />
    </Screen>
  );
}

/** What is shown: also by what, and of which restaurants. */
interface Shown extends Periods {
  level: MenuGroup;
  ids: string[];
}

interface SalesProps {
  answers: PairedAnswers<MenuTotal>;
  currency: string | null;
  typed: string;
  sort: string;
  item: string;
  shown: Shown;
  /** A date that is not over is not compared with a whole one. */
  isRunning: boolean;
}

function Sales({
  answers: { now, before, dates, restaurants },
  currency,
  typed,
  sort,
  item,
  shown,
  isRunning,
}: SalesProps) {
  const { period, comparison, level, ids } = shown;
  const own = ({ rows }: Answer<MenuTotal>) => soldOf(ofCurrency(rows, currency), level);
  const compared = before !== undefined && !isRunning && isComparable(restaurants, currency);
  const mixed = mixOf(own(now), compared ? own(before) : undefined);
  return (
    <div class="stack wide-gap">
      {level !== 'MODIFIER' && mixed.length > 0 && (
        <MenuFigures mixed={mixed} compared={compared} currency={currency} />
      )}
      <Notes
        notes={[datesNote(ofCurrency(dates, currency), period, comparison), unmatchedNote(restaurants, currency)]}
      />
      <MixTable
        mixed={mixed}
        compared={compared}
        currency={currency}
        typed={typed}
        sort={sort}
        trend={{ item, level, period, ids }}
        guid={now.guid}
        onItem={(guid) => choose('item', guid)}
      />
    </div>
  );
}

function MenuFigures({ mixed, compared, currency }: { mixed: Mixed[]; compared: boolean; currency: string | null }) {
  const sum = (of: (sold: Sold) => number): number => mixed.reduce((total, one) => total + of(one), 0);
  const was = (of: (sold: Sold) => number): number =>
    mixed.reduce((total, one) => total + (one.before ? of(one.before) : 0), 0);
  const change = (of: (sold: Sold) => number, better: 'more' | 'less' = 'more'): Change | undefined =>
    compared ? changeOf(sum(of), was(of), better) : undefined;
  const gross = (sold: Sold) => sold.grossCents;
  const share = (of: (sold: Sold) => number): Omit<Listed, 'name'> => {
    const now = ratio(sum(of), sum(gross));
    return {
      value: now === undefined ? '–' : formatShare(now),
      change: compared ? pointsOf(now, ratio(was(of), was(gross)), 'less') : undefined,
      detail: 'of gross',
    };
  };
  const net = (sold: Sold) => sold.netCents;
  const quantity = (sold: Sold) => sold.quantity;
  const price = averagePriceOf({ grossCents: sum(gross), quantity: sum(quantity) });
  const [discounts, voids] = [share(({ discountCents }) => discountCents), share(({ voidCents }) => voidCents)];
  const waste = (sold: Sold) => sold.wasteCents;
  const figures: Listed[] = [
    { name: 'Net sales of items', value: formatMoney(sum(net), currency, 'whole'), change: change(net) },
    { name: 'Sold', value: formatCount(sum(quantity)), change: change(quantity) },
    {
      name: 'Average price',
      value: price === undefined ? '–' : formatMoney(Math.round(price), currency),
      change: compared
        ? changeOf(price ?? 0, averagePriceOf({ grossCents: was(gross), quantity: was(quantity) }))
        : undefined,
    },
    { name: 'Discounts', ...discounts },
    { name: 'Voids', ...voids },
    { name: 'Waste', value: formatMoney(sum(waste), currency), change: change(waste, 'less') },
  ];
  const sums = {
    netSalesCents: sum(net),
    grossSalesCents: sum(gross),
    discountCents: sum(({ discountCents }) => discountCents),
    refundCents: sum(({ grossCents, discountCents, netCents }) => grossCents - discountCents - netCents),
    voidCents: sum(({ voidCents }) => voidCents),
    wasteCents: sum(waste),
    quantitySold: sum(quantity),
  };
  return <FigureList figures={figures} sums={sums} currency={currency} none={compared ? '–' : ''} />;
}
