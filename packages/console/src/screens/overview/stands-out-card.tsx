/** The findings of a date: what differs from the usual. */

import { useGroup } from '../../data/group.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { formatDate } from '../../model/dates.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatMoney } from '../../model/money.ts';
import { type Deviation, nounOf, RULE, sayMeasure, sayUsual, WEEKS } from '../../model/stands-out.ts';
import { datesIn, writeView } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { Arrow, Icon } from '../../widgets/icon.tsx';

interface StandsOutProps {
  date: string;
  deviations: Deviation[];
  openOrders: number;
  missing: Restaurant[];
  /** The number of restaurants with enough history to be compared. */
  known: number;
  /** Why no deviations are shown; undefined if they are. */
  unknown: string | undefined;
  guid: string | undefined;
  still: string | undefined;
}

const FIGURE_NAMES = { net: 'Sales', labour: spell('Labor'), discounts: 'Discounts', voids: 'Voids' } as const;
const OF = { net: '', labour: ' of sales', discounts: ' of gross', voids: ' of gross' } as const;

function Finding({ deviation }: { deviation: Deviation }) {
  const { byGuid, latest } = useGroup();
  const { restaurantGuid, currencyCode, date, measure, now, usual, cents, better } = deviation;
  const day = writeView(datesIn(location.search), { span: 'day', d: date === latest ? undefined : date });
  return (
    <li>
      <span class={better ? 'mark good' : 'mark'}>
        <Arrow up={now > usual} />
        <span class="hidden">{now > usual ? 'More than usual:' : 'Less than usual:'}</span>
      </span>
      <a class="name" href={`/restaurants/${restaurantGuid}${day}`}>
        {byGuid.get(restaurantGuid)?.name ?? restaurantGuid}
      </a>
      <span class="worth">
        {formatMoney(Math.abs(cents), currencyCode, 'whole')} <small>{nounOf(deviation)}</small>
      </span>
      <p>
        {FIGURE_NAMES[measure]} {sayMeasure(deviation, now)}
        {OF[measure]}, {sayUsual(deviation)}
      </p>
    </li>
  );
}

function OpenOrders({ count }: { count: number }) {
  return (
    <li>
      <span class="mark warn">
        <span class="dot warn" />
      </span>
      <span class="what">{count === 1 ? '1 order is still open' : `${formatCount(count)} orders are still open`}</span>
      <a href={`/restaurants${writeView(datesIn(location.search), { sort: '-open' })}`}>Show</a>
      <p>Figures move when they close</p>
    </li>
  );
}

function Missing({ restaurants, date }: { restaurants: Restaurant[]; date: string }) {
  const names = restaurants.slice(0, 3).map(({ name }) => name);
  const more = restaurants.length - names.length;
  return (
    <li>
      <span class="mark warn">
        <span class="dot warn" />
      </span>
      <span class="what">
        {restaurants.length === 1 ? '1 restaurant has' : `${restaurants.length} restaurants have`} no data for{' '}
        {formatDate(date, 'day')}
      </span>
      <a href="/data">Data</a>
      <p>
        {names.join(', ')}
        {more > 0 && ` and ${more} more`}
      </p>
    </li>
  );
}

export function StandsOutCard({ date, deviations, openOrders, missing, known, unknown, guid, still }: StandsOutProps) {
  const { used } = useGroup();
  const weekday = formatDate(date, 'weekday');
  const info = (
    <>
      {`${formatDate(date, 'short')} against ${WEEKS} ${weekday}s`}
      <button
        type="button"
        class="icon-button"
        popovertarget="stands-out-rule"
        aria-label="How this is decided"
        title={RULE}
      >
        <Icon name="info" />
      </button>
    </>
  );
  const nothing = deviations.length === 0 && openOrders === 0 && missing.length === 0;
  return (
    <Card title="What stands out" end={info} guid={guid} width={4} still={still}>
      <div id="stands-out-rule" popover="auto" class="popover">
        {RULE}
      </div>
      {unknown && <p class="note">{unknown}</p>}
      {nothing && !unknown && (
        <p class="state">
          <b>Nothing unusual.</b>{' '}
          {known < used.length
            ? `${formatCount(known)} of ${formatCount(used.length)} restaurants compared: the others have too few of the`
            : 'Every restaurant is near its'}{' '}
          last {WEEKS} {weekday}s.
        </p>
      )}
      <ul class="findings">
        {deviations.map((deviation) => (
          <Finding key={`${deviation.restaurantGuid} ${deviation.measure}`} deviation={deviation} />
        ))}
        {missing.length > 0 && <Missing restaurants={missing} date={date} />}
        {openOrders > 0 && <OpenOrders count={openOrders} />}
      </ul>
    </Card>
  );
}
