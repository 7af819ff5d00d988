/** The row of figures at the top of a screen. */

import type { Totals } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Change, FigureOf } from '../model/change.ts';
import { COMPARED, labourShare, leakShare } from '../model/figures.ts';
import type { LikeForLike } from '../model/like-for-like.ts';
import { spell } from '../model/locale.ts';
import { formatCount, formatMoney, formatShare, splitMoney } from '../model/money.ts';
import type { Sums } from '../model/worked-out.ts';
import { ChangeMark, PendingChange } from './change.tsx';
import type { Definition } from './definition.tsx';

interface TermProps {
  name: string;
  sums: object;
  currency: string | null;
}

/** The name of a figure, which opens its definition. */
function Term({ name, sums, currency }: TermProps) {
  const [Opened, setOpened] = useState<typeof Definition>();
  const open = async (): Promise<void> => {
    const { Definition } = await import('./definition.tsx');
    setOpened(() => Definition);
  };
  return (
    <>
      <button type="button" class="pick" onClick={open}>
        {spell(name)}
      </button>
      {Opened && <Opened name={name} sums={sums as Sums} currency={currency} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Figure(props: TermProps & { first?: boolean; value: ComponentChildren; detail?: ComponentChildren }) {
  return (
    <div class={props.first ? 'first' : ''}>
      <dt>
        <Term name={props.name} sums={props.sums} currency={props.currency} />
      </dt>
      <dd>
        <span class="value" data-figure={props.name}>
          {props.value}
        </span>
        {props.detail}
      </dd>
    </div>
  );
}

/** A figure of a row of figures. */
export interface Listed {
  name: string;
  value: string;
  change: Change | undefined;
  detail?: string;
}

interface ListProps extends Omit<TermProps, 'name'> {
  figures: Listed[];
  none: string;
}

/** Figures beside each other, the first of them large. `none` is shown if there is no change. */
export const FigureList = ({ figures, none, sums, currency }: ListProps) => (
  <dl class="card figures">
    {figures.map(({ name, value, change, detail }, at) => (
      <Figure
        key={name}
        name={name}
        sums={sums}
        currency={currency}
        first={at === 0}
        value={value}
        detail={
          <>
            <ChangeMark change={change} note={none} />
            {detail && <span class="beside">{detail}</span>}
          </>
        }
      />
    ))}
  </dl>
);

interface FiguresProps {
  figures: LikeForLike<Totals>;
  currency: string | null;
  /** The sixth figure. */
  last: 'leaks' | 'perLabourHour';
  /** The text that is shown if there is nothing to compare with. */
  none: string | undefined;
  /** Whether what they are compared with is still being loaded: its space is reserved. */
  pending?: boolean;
  /** In place of the change of labour, which is not known. */
  labour?: string | undefined;
}

/** The figures of a period in one currency. Ratios are computed from the sums. */
export function Figures({
  figures,
  currency,
  last,
  none,
  pending = false,
  labour: unknown = 'not loaded',
}: FiguresProps) {
  const { sum: now, restaurants } = figures;
  // Without data sales are not known, which is not the same as 0.
  const [whole, decimals] = restaurants > 0 ? splitMoney(now.netSalesCents, currency) : '–';
  const count = (value: number): string => (restaurants > 0 ? formatCount(value) : '–');
  const change = (figure: FigureOf<Totals>) =>
    pending ? <PendingChange /> : <ChangeMark change={figures.changeOf(figure)} note={none} />;
  const points = (figure: FigureOf<Totals>, detail: string) => (
    <>
      {change(figure)}
      <span class="beside">{detail}</span>
    </>
  );
  const from = pending ? now : figures.pairOf(COMPARED.net)?.before;
  const share = (value: number | undefined) => (value === undefined ? '–' : formatShare(value));
  const of = { sums: now, currency };
  const labour = labourShare(now);
  const perHour = now.hourlyJobSalesPerLaborHourCents;
  return (
    <dl class="card figures">
      <Figure
        {...of}
        name="Net sales"
        first
        value={
          <>
            {whole}
            <small>{decimals}</small>
          </>
        }
        detail={
          <>
            {change(COMPARED.net)}
            {from && (
              <span class={pending ? 'beside pending' : 'beside'} aria-hidden={pending}>
                from {formatMoney(from.netSalesCents, currency, 'whole')}
              </span>
            )}
          </>
        }
      />
      <Figure {...of} name="Orders" value={count(now.ordersCount)} detail={change(COMPARED.orders)} />
      <Figure {...of} name="Guests" value={count(now.guestCount)} detail={change(COMPARED.guests)} />
      <Figure
        {...of}
        name="Average order"
        value={now.ordersCount > 0 ? formatMoney(now.avgOrderValueCents, currency) : '–'}
        detail={change(COMPARED.average)}
      />
      <Figure
        {...of}
        name="Hourly labor"
        value={labour === undefined ? '–' : formatShare(labour)}
        detail={
          labour === undefined ? (
            <span class="beside">{perHour === null ? unknown : 'no sales'}</span>
          ) : (
            points(COMPARED.labour, 'of net')
          )
        }
      />
      {last === 'leaks' ? (
        <Figure
          {...of}
          name="Discounts and voids"
          value={share(leakShare(now))}
          detail={points(COMPARED.leaks, 'of gross')}
        />
      ) : (
        <Figure
          {...of}
          name="Sales per labor hour"
          value={perHour === null ? '–' : formatMoney(perHour, currency)}
          detail={perHour === null ? <span class="beside">{unknown}</span> : change(COMPARED.perLabourHour)}
        />
      )}
    </dl>
  );
}
