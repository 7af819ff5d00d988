/** The choice of a currency, if the restaurants have several: amounts of two currencies are never added. */
import { useGroup } from '../data/group.ts';
import { usePlace } from '../data/router.ts';
import { currencyName } from '../model/money.ts';
import { writeView } from '../model/view.ts';

export function CurrencyChoice({ currency }: { currency: string | null }) {
  const { order, used } = useGroup();
  const { path, search } = usePlace();
  if (order.length < 2) return null;
  return (
    <>
      {order.map((code, at) => {
        const count = used.filter(({ currencyCode }) => currencyCode === code).length;
        const name = `${currencyName(code)}, ${count === 1 ? '1 restaurant' : `${count} restaurants`}`;
        if (code === currency)
          return (
            <span key={code} class="tag" aria-current="true">
              {code ?? 'none'} {count}
            </span>
          );
        return (
          <a
            key={code}
            class="tag"
            href={path + writeView(search, { cur: at === 0 ? undefined : (code ?? 'none') })}
            title={name}
          >
            {code ?? 'none'} {count}
          </a>
        );
      })}
    </>
  );
}
