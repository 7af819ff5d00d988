/** Where sales come from: dining options and order sources as bars. */
import { ShareBar } from '../charts/date-line.tsx';
import { type Compared, compareBy, mixChoice } from '../data/compared.ts';
import { chosenOf } from '../data/filtered.ts';
import { useGroup } from '../data/group.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import { useLoadOf } from '../data/periods.ts';
import { usePlace } from '../data/router.ts';
import { changeOf } from '../model/change.ts';
import { netCents } from '../model/figures.ts';
import { type Filter, keeps, type SourceField, sourceName } from '../model/filter.ts';
import { ofCurrency } from '../model/like-for-like.ts';
import { formatMoney, formatShare } from '../model/money.ts';
import type { Periods } from '../model/period.ts';
import { ChangeMark } from '../widgets/change.tsx';
import { Pick } from './filter.tsx';

/** Sums by order source; sends no request while `wanted` is false. */
export function useOrderSources<A extends Periods>(
  of: A,
  wanted: boolean,
  filter: Filter | undefined,
  restaurantGuid?: string,
) {
  const { only } = useGroup();
  const guid = restaurantGuid ?? only;
  const by = [
    'orderSource',
    ...(filter?.hours ? ['businessHour'] : []),
    ...(filter?.field === 'diningOption' ? ['diningOption'] : []),
  ];
  const load = useLoadOf(wanted ? `sources ${guid}` : undefined, { ...of, by }, (reading) =>
    compareBy<NetTotal>(of.period, of.comparison, mixChoice(of.period, guid), { by, fields: NET }, reading),
  );
  return filter ? chosenOf(load, (row) => keeps(filter, row, 'orderSource')) : load;
}

const SOURCES_SHOWN = 8;
const SHOWN_DENSE = 4;

/** The largest groups with their share of the total and their change. */
export function SourceBars(props: {
  data: Compared<NetTotal>;
  field: SourceField;
  currency: string | null;
  dense?: boolean;
  /** Whether the two are of the same restaurants and hours: if not, there are no changes. */
  comparable?: boolean;
}) {
  const { data, field, currency, dense = false, comparable = true } = props;
  const sums = (rows: NetTotal[]) => {
    const groups = Map.groupBy(ofCurrency(rows, currency), (row) => String(row[field] ?? ''));
    // Hours worked without a sale are rows without a source: a bar of it would be of nothing.
    return new Map([...groups].flatMap(([name, some]) => (netCents(some) === 0 ? [] : [[name, netCents(some)]])));
  };
  const now = sums(data.now);
  const before = data.before && sums(data.before);
  if (now.size === 0) return <p class="state">No sales in this currency.</p>;
  for (const name of before?.keys() ?? []) if (!now.has(name)) now.set(name, 0);
  const was = (name: string): number => before?.get(name) ?? 0;
  const all = [...now.values()].reduce((sum, one) => sum + one, 0);
  const ranked = [...now].sort(([name, one], [othersName, other]) => other - one || was(othersName) - was(name));
  const shown = dense ? SHOWN_DENSE : SOURCES_SHOWN;
  if (ranked.length > shown) {
    // The smallest are one bar, so that the bars add up to the total.
    const rest = ranked.splice(shown - 1);
    const sumIn = (sums: Map<string, number>): number => rest.reduce((sum, [name]) => sum + (sums.get(name) ?? 0), 0);
    const name = `${rest.length} others`;
    ranked.push([name, sumIn(now)]);
    before?.set(name, sumIn(before));
  }
  const chosen = new URLSearchParams(usePlace().search).get(field);
  // Beside each other, bars are shares of the total; in a single group, the largest bar fills the card.
  const most = dense ? Math.max(1, all) : Math.max(1, ...ranked.map(([, amount]) => amount));
  return (
    <ul class={dense ? 'bars dense' : 'bars'}>
      {ranked.map(([name, amount]) => (
        <li key={name} class={chosen && chosen !== name ? 'faded' : ''}>
          <span class="name">{now.has(name) ? <Pick by={field} value={name} name={sourceName(name)} /> : name}</span>
          <span class="amount">
            {formatMoney(amount, currency, 'whole')}
            <small>{all > 0 ? formatShare(amount / all, 0) : '–'}</small>
          </span>
          <ChangeMark
            change={comparable ? changeOf(amount, before?.get(name)) : undefined}
            note={!before || !comparable ? '' : before.has(name) ? '–' : 'new'}
          />
          <ShareBar share={amount / most} />
        </li>
      ))}
    </ul>
  );
}
