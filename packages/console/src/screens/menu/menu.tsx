/** The menu: what sells, against before, with price and quantity apart. */
import { cents } from '@daypart/client';
import { chosenCurrency, useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { LEVELS, type MenuGroup, type MenuTotal, menuTotals } from '../../data/menu.ts';
import type { Answer } from '../../data/question.ts';
import { navigate, usePlace } from '../../data/router.ts';
import { type Change, changeOf, pointsOf } from '../../model/change.ts';
import { ratio } from '../../model/figures.ts';
import { type Mixed, mixOf, type Sold } from '../../model/mix.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { ChangeMark } from '../../parts/change.tsx';
import { Segments, Select } from '../../parts/controls.tsx';
import { CurrencyChoice } from '../../parts/currency-choice.tsx';
import { ExportButton } from '../../parts/export.tsx';
import { Foot, Notices, Screen } from '../../parts/screen.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DateTools } from '../../parts/tools.tsx';
import { MixTable } from './mix-table.tsx';

const CHOICES = [
  { value: 'MENU_ITEM', label: 'Items' },
  { value: 'MENU_GROUP', label: 'Groups' },
  { value: 'MENU', label: 'Menus' },
  { value: 'MODIFIER', label: 'Modifiers' },
] as const;

interface Both {
  now: Answer<MenuTotal>;
  before: Answer<MenuTotal> | undefined;
}

/** What was sold, of totals of one currency. */
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

/** Changes parameters of this screen alone. */
function choose(name: string, value: string): void {
  const parameters = new URLSearchParams(location.search);
  if (value) parameters.set(name, value);
  else parameters.delete(name);
  const text = parameters.toString();
  navigate(`/menu${text && `?${text}`}`, { keepScroll: true });
}

export function Menu() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search, '7');
  const { period, comparison } = periodsOf(view, group.latest);
  const parameters = new URLSearchParams(search);
  const level = CHOICES.find(({ value }) => value === parameters.get('by'))?.value ?? 'MENU_ITEM';
  const restaurant = group.byGuid.get(parameters.get('r') ?? '');
  const currency = restaurant ? restaurant.currencyCode : chosenCurrency(group, view.cur);
  const ids = restaurant ? [restaurant.guid] : [];
  const key = `menu ${level} ${ids} ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, async (reading): Promise<Both> => {
    const read = (some: Period) => menuTotals(some, level, ids, [LEVELS[level].by], reading);
    const [now, before] = await Promise.all([read(period), comparison && read(comparison)]);
    return { now, before };
  });
  const { data } = load;
  return (
    <Screen
      title={`Menu, ${titleOf(period)}`}
      sub={restaurant ? <span>{restaurant.name}</span> : <CurrencyChoice currency={currency} />}
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} defaultSpan="7" />
          <ExportButton reports={data ? [{ name: 'What was sold', guid: data.now.guid, path: '/menu' }] : []} />
        </>
      }
    >
      <Notices notices={notices} />
      <div class="row">
        <Segments
          label="By"
          options={CHOICES}
          value={level}
          onChange={(value) => choose('by', value === 'MENU_ITEM' ? '' : value)}
        />
        <Select
          label="Restaurant"
          value={restaurant?.guid ?? ''}
          options={[
            { value: '', label: 'All restaurants' },
            ...group.used.map(({ guid, name }) => ({ value: guid, label: name })),
          ]}
          onChange={(value) => choose('r', value)}
        />
      </div>
      <Loaded load={load} height={480}>
        {({ now, before }) => {
          const own = ({ rows }: Answer<MenuTotal>) =>
            soldOf(
              rows.filter(({ currencyCode }) => currencyCode === currency),
              level,
            );
          const mixed = mixOf(own(now), before && own(before));
          return (
            <div class="stack wide-gap">
              {level !== 'MODIFIER' && (
                <MenuFigures mixed={mixed} compared={before !== undefined} currency={currency} />
              )}
              <MixTable
                mixed={mixed}
                compared={before !== undefined}
                currency={currency}
                guid={now.guid}
                typed={view.q}
                sort={view.sort ?? '-net'}
                trend={{ item: parameters.get('item') ?? '', level, period, ids }}
                onItem={(guid) => choose('item', guid)}
              />
            </div>
          );
        }}
      </Loaded>
      <Foot guid={data?.now.guid} asOf={data?.now.asOf} note="Orders loaded before items were kept are not in it" />
    </Screen>
  );
}

function MenuFigures({ mixed, compared, currency }: { mixed: Mixed[]; compared: boolean; currency: string | null }) {
  const sum = (of: (sold: Sold) => number): number => mixed.reduce((total, one) => total + of(one), 0);
  const was = (of: (sold: Sold) => number): number =>
    mixed.reduce((total, one) => total + (one.before ? of(one.before) : 0), 0);
  const change = (of: (sold: Sold) => number, better: 'more' | 'less' = 'more'): Change | undefined =>
    compared ? changeOf(sum(of), was(of), better) : undefined;
  const gross = (sold: Sold) => sold.grossCents;
  const share = (of: (sold: Sold) => number): [string, Change | undefined] => {
    const now = ratio(sum(of), sum(gross));
    return [
      now === undefined ? '–' : formatShare(now),
      compared ? pointsOf(now, ratio(was(of), was(gross)), 'less') : undefined,
    ];
  };
  const net = (sold: Sold) => sold.netCents;
  const quantity = (sold: Sold) => sold.quantity;
  const figures: [string, string, Change | undefined][] = [
    ['Net sales of items', formatMoney(sum(net), currency, 'whole'), change(net)],
    ['Sold', formatCount(sum(quantity)), change(quantity)],
    [
      'Average price',
      sum(quantity) > 0 ? formatMoney(Math.round(sum(net) / sum(quantity)), currency) : '–',
      compared ? changeOf(ratio(sum(net), sum(quantity)) ?? 0, ratio(was(net), was(quantity))) : undefined,
    ],
    ['Discounts', ...share(({ discountCents }) => discountCents)],
    ['Voids', ...share(({ voidCents }) => voidCents)],
    [
      'Waste',
      formatMoney(
        sum(({ wasteCents }) => wasteCents),
        currency,
      ),
      change(({ wasteCents }) => wasteCents, 'less'),
    ],
  ];
  return (
    <dl class="card figures">
      {figures.map(([name, value, moved], at) => (
        <div key={name} class={at === 0 ? 'first' : ''}>
          <dt>{name}</dt>
          <dd>
            <span class="value" data-figure={name}>
              {value}
            </span>
            <ChangeMark change={moved} note={compared ? '–' : ''} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
