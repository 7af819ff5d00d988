/** Where sales come from: dining options and order sources as bars. */
import { ShareBar } from '../charts/date-line.tsx';
import { type Compared, compare, mixChoice } from '../data/compared.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import { useLoadOf } from '../data/periods.ts';
import type { Query } from '../data/question.ts';
import { changeOf } from '../model/change.ts';
import { netCents } from '../model/figures.ts';
import { ofCurrency } from '../model/like-for-like.ts';
import { formatMoney, formatShare } from '../model/money.ts';
import type { Periods } from '../model/period.ts';
import { ChangeMark } from '../widgets/change.tsx';

export type SourceField = 'diningOption' | 'orderSource';

/** Sums by order source; sends no request while `wanted` is false. */
export const useOrderSources = <A extends Periods>(of: A, wanted: boolean, restaurantGuid = '') =>
  useLoadOf(wanted ? `sources ${restaurantGuid}` : undefined, of, (reading) =>
    compare<NetTotal>(of.period, of.comparison, mixChoice(of.period, restaurantGuid), SOURCES, reading),
  );

const SOURCES: Query = { by: ['orderSource'], fields: NET };
const SHOWN = 8;
const SHOWN_DENSE = 4;

/** A source of the point of sale in words: "In store" for IN_STORE; a short one, such as API, is unchanged. */
export function nameOf(source: string): string {
  if (source === 'UNKNOWN') return 'Unknown source';
  if (!/^[A-Z_]{5,}$/.test(source)) return source;
  const words = source.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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
  const shown = dense ? SHOWN_DENSE : SHOWN;
  if (ranked.length > shown) {
    // The smallest are one bar, so that the bars add up to the total.
    const rest = ranked.splice(shown - 1);
    const sumIn = (sums: Map<string, number>): number => rest.reduce((sum, [name]) => sum + (sums.get(name) ?? 0), 0);
    const name = `${rest.length} others`;
    ranked.push([name, sumIn(now)]);
    before?.set(name, sumIn(before));
  }
  // Beside each other, bars are shares of the total; in a single group, the largest bar fills the card.
  const most = dense ? Math.max(1, all) : Math.max(1, ...ranked.map(([, amount]) => amount));
  return (
    <ul class={dense ? 'bars dense' : 'bars'}>
      {ranked.map(([name, amount]) => (
        <li key={name}>
          <span class="name">{nameOf(name)}</span>
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
