/** Sales of restaurants with other currencies: amounts of two currencies are never added. */
import type { GroupDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { changeOf } from '../../model/change.ts';
import { besideOf, ofCurrency, type Sides, saySides } from '../../model/comparison.ts';
import { currencyName, formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { writeView } from '../../model/view.ts';
import { ChangeMark, PendingChange } from '../../parts/change.tsx';

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
        const { now, alike, restaurants: reported } = besideOf(days.now, sides, code);
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
              <b>{reported > 0 ? formatMoney(now.netSalesCents, code) : 'no data'}</b>{' '}
              {alike && (
                <>
                  <ChangeMark change={changeOf(alike.now.netSalesCents, alike.before.netSalesCents)} />{' '}
                  <small>{saySides(ofCurrency(days.net, code), period, comparison)}</small>
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
