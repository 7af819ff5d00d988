/** The row of figures at the top of a screen. */
import type { Totals } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { type Change, changeOf, pointsOf } from '../model/change.ts';
import type { Beside } from '../model/comparison.ts';
import { labourShare, leakShare } from '../model/figures.ts';
import { formatCount, formatMoney, formatShare, splitMoney } from '../model/money.ts';
import { ChangeMark, PendingChange } from './change.tsx';

function Figure(props: { name: string; first?: boolean; value: ComponentChildren; beside?: ComponentChildren }) {
  return (
    <div class={props.first ? 'first' : ''}>
      <dt>{props.name}</dt>
      <dd>
        <span class="value" data-figure={props.name}>
          {props.value}
        </span>
        {props.beside}
      </dd>
    </div>
  );
}

/** A figure of a row of figures. */
export interface Listed {
  name: string;
  value: string;
  change: Change | undefined;
  beside?: string;
}

/** Figures beside each other, the first of them large. `none` is shown if there is no change. */
export const FigureList = ({ figures, none }: { figures: Listed[]; none: string }) => (
  <dl class="card figures">
    {figures.map(({ name, value, change, beside }, at) => (
      <Figure
        key={name}
        name={name}
        first={at === 0}
        value={value}
        beside={
          <>
            <ChangeMark change={change} note={none} />
            {beside && <span class="beside">{beside}</span>}
          </>
        }
      />
    ))}
  </dl>
);

interface FiguresProps {
  figures: Beside;
  currency: string | null;
  /** The sixth figure. */
  last: 'leaks' | 'perLabourHour';
  /** The text that is shown if there is nothing to compare with. */
  none: string | undefined;
  /** Whether what they are compared with is still being loaded: its space is reserved. */
  pending?: boolean;
}

/** The figures of a period in one currency. Ratios are computed from the sums. */
export function Figures({ figures, currency, last, none, pending = false }: FiguresProps) {
  const { now, alike, labour: worked, restaurants } = figures;
  // Without data sales are not known, which is not the same as 0.
  const [whole, decimals] = restaurants > 0 ? splitMoney(now.netSalesCents, currency) : '–';
  const count = (value: number): string => (restaurants > 0 ? formatCount(value) : '–');
  const mark = (changed: Change | undefined) =>
    pending ? <PendingChange /> : <ChangeMark change={changed} note={none} />;
  const change = (of: (sum: Totals) => number, pair = alike) => mark(pair && changeOf(of(pair.now), of(pair.before)));
  const points = (of: (sum: Totals) => number | undefined, beside: string, pair = alike) => (
    <>
      {mark(pair && pointsOf(of(pair.now), of(pair.before), 'less'))}
      <span class="beside">{beside}</span>
    </>
  );
  const from = pending ? now : alike?.before;
  const share = (value: number | undefined) => (value === undefined ? '–' : formatShare(value));
  const labour = labourShare(now);
  const perHour = now.hourlyJobSalesPerLaborHourCents;
  return (
    <dl class="card figures">
      <Figure
        name="Net sales"
        first
        value={
          <>
            {whole}
            <small>{decimals}</small>
          </>
        }
        beside={
          <>
            {change((sum) => sum.netSalesCents)}
            {from && (
              <span class={pending ? 'beside pending' : 'beside'} aria-hidden={pending}>
                from {formatMoney(from.netSalesCents, currency, 'whole')}
              </span>
            )}
          </>
        }
      />
      <Figure name="Orders" value={count(now.ordersCount)} beside={change((sum) => sum.ordersCount)} />
      <Figure name="Guests" value={count(now.guestCount)} beside={change((sum) => sum.guestCount)} />
      <Figure
        name="Average order"
        value={now.ordersCount > 0 ? formatMoney(now.avgOrderValueCents, currency) : '–'}
        beside={change((sum) => sum.avgOrderValueCents)}
      />
      <Figure
        name="Hourly labour"
        value={labour === undefined ? '–' : formatShare(labour)}
        beside={
          labour === undefined ? (
            <span class="beside">{perHour === null ? 'not loaded' : 'no sales'}</span>
          ) : (
            points(labourShare, 'of net', worked)
          )
        }
      />
      {last === 'leaks' ? (
        <Figure name="Discounts and voids" value={share(leakShare(now))} beside={points(leakShare, 'of gross')} />
      ) : (
        <Figure
          name="Sales per labour hour"
          value={perHour === null ? '–' : formatMoney(perHour, currency)}
          beside={
            perHour === null ? (
              <span class="beside">not loaded</span>
            ) : (
              change((sum) => sum.hourlyJobSalesPerLaborHourCents ?? 0, worked)
            )
          }
        />
      )}
    </dl>
  );
}
