/** Sales of restaurants with other currencies: amounts of two currencies are never added. */
import type { GroupDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { COMPARED, currencyTotals } from '../../model/figures.ts';
import { likeForLike, type Sides } from '../../model/like-for-like.ts';
import { currencyName, formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { writeView } from '../../model/view.ts';
import { ChangeMark, PendingChange } from '../../widgets/change.tsx';

interface OthersProps {
  days: GroupDays;
  period: Period;
  comparison: Period | undefined;
  sides: Sides | undefined;
  currency: string | null;
  /** Whether what they are compared with is still being loaded. */
  loading: boolean;
}

export function OtherCurrencies({ days, period, comparison, sides, currency, loading }: OthersProps) {
  const group = useGroup();
  const others = group.order.filter((code) => code !== currency);
  if (others.length === 0) return null;
  return (
    <div class="others">
      {others.map((code) => {
        const restaurants = group.used.filter(({ currencyCode }) => currencyCode === code);
        const { now, before, net: dates } = days;
        const figures = likeForLike({
          currency: code,
          period,
          comparison,
          now,
          before,
          sides,
          dates,
          add: currencyTotals,
        });
        const [only] = restaurants;
        const who = restaurants.length === 1 && only ? only.name : `${restaurants.length} restaurants`;
        const verb = restaurants.length === 1 ? ['reports', 'is'] : ['report', 'are'];
        const name = code ? `in ${currencyName(code)}` : 'without a currency';
        return (
          <p key={code}>
            <a
              class="tag"
              href={writeView(location.search, { cur: code ?? 'none' }) || '/'}
              title={`Show ${currencyName(code)}`}
            >
              <span class="hidden">Show </span>
              {code ?? 'none'}
            </a>
            <span>
              <b>{who}</b> {verb[0]} {name} and {verb[1]} not in the sums:{' '}
              <b>{figures.restaurants > 0 ? formatMoney(figures.sum.netSalesCents, code) : 'no data'}</b>{' '}
              {figures.pairOf() && (
                <>
                  <ChangeMark change={figures.changeOf(COMPARED.net)} /> <small>{figures.datesText}</small>
                </>
              )}
              {loading && <PendingChange />}
            </span>
          </p>
        );
      })}
    </div>
  );
}
