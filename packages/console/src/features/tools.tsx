/** The date controls of a screen: span, date, comparison. Their values are stored in the address. */
import { addDays, spanDays } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { navigate, place, usePlace } from '../data/router.ts';
import { session } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { formatDate, formatSpan } from '../model/dates.ts';
import {
  comparisonOf,
  LONGEST_DAYS,
  offeredAs,
  type Period,
  type Span,
  type Versus,
  versusChoices,
  versusName,
} from '../model/period.ts';
import { type View, writeView } from '../model/view.ts';
import { type Option, Segments, Select } from '../widgets/controls.tsx';
import { DateField } from '../widgets/date-field.tsx';
import { Icon } from '../widgets/icon.tsx';

const SPANS: readonly { value: Span; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
  { value: 'custom', label: 'Custom' },
];

/** Changes the view of this screen; `replace` while the user types. */
export function changeView(changes: Partial<View>, replace = false): void {
  navigate(place.get().path + writeView(location.search, changes), { replace, keepScroll: true });
}

/** Changes a parameter that only this screen has; without a value it is left out. */
export function choose(name: string, value: string): void {
  const parameters = new URLSearchParams(location.search);
  if (value) parameters.set(name, value);
  else parameters.delete(name);
  navigate(`${place.get().path}?${parameters}`.replace(/\?$/, ''), { keepScroll: true });
}

/**
 * A choice that the address has as `name`; the first option is the default. Screens give the options to `readView` as
 * well.
 */
export function useChoice<T extends string>(
  name: string,
  options: readonly [Option<T>, ...Option<T>[]],
): [T, (value: T) => void] {
  const text = new URLSearchParams(usePlace().search).get(name);
  const [first] = options;
  const { value } = options.find((one) => one.value === text) ?? first;
  return [value, (chosen) => choose(name, chosen === first.value ? '' : chosen)];
}

interface ToolsProps {
  view: View;
  period: Period;
  latest: string;
  /** The last date of any restaurant, if some have later dates than all have. */
  newest?: string | undefined;
  /** Whether the screen has a comparison. */
  compares?: boolean;
}

function DateStepper({ period, latest, newest = latest }: Omit<ToolsProps, 'view'>) {
  const days = spanDays(period);
  const choose = (d: string): void => changeView({ d: d === latest ? undefined : d });
  const step = (by: number): void => {
    const d = addDays(period.end, by * days);
    choose(d > newest ? newest : d);
  };
  const unit = days === 1 ? 'date' : `${days} days`;
  // Not disabled: a person at the keyboard who reaches the last date would lose the focus.
  const isLast = period.end >= newest;
  return (
    <div class="stepper">
      <Steps unit={unit} isLast={isLast} step={step}>
        <span class="date">
          <span aria-hidden="true">
            {days === 1
              ? formatDate(period.end, 'full')
              : `${formatDate(period.start, 'day')} – ${formatDate(period.end, 'day')}`}
          </span>
          <DateField
            label={days === 1 ? 'Business date' : 'Last business date'}
            date={period.end}
            onDate={choose}
            opensPicker
          />
        </span>
      </Steps>
    </div>
  );
}

/** The two buttons that move a period. */
function Steps(props: { unit: string; isLast: boolean; step: (by: number) => void; children: ComponentChildren }) {
  const { unit, isLast, step, children } = props;
  return (
    <>
      <button type="button" aria-label={`Previous ${unit}`} onClick={() => step(-1)} data-key="[">
        <Icon name="previous" />
      </button>
      {children}
      <button
        type="button"
        aria-label={`Next ${unit}`}
        aria-disabled={isLast || undefined}
        onClick={() => !isLast && step(1)}
        data-key="]"
      >
        <Icon name="next" />
      </button>
    </>
  );
}

/** A date that passes the other takes it along, and the other follows where there would be too many dates. */
function SpanFields({ period, latest, newest = latest }: Omit<ToolsProps, 'view'>) {
  const { start, end } = period;
  const days = spanDays(period);
  const step = (by: number): void => {
    const moved = addDays(end, by * days);
    const last = moved > newest && by > 0 ? newest : moved;
    change({ start: addDays(last, 1 - days), end: last });
  };
  const change = (custom: Period): void => changeView({ span: 'custom', custom });
  const between = (least: string, date: string, most: string): string =>
    date < least ? least : date > most ? most : date;
  return (
    <div class="span-fields stepper">
      <Steps unit={`${days} days`} isLast={end >= newest} step={step}>
        <DateField
          label="First business date"
          date={start}
          onDate={(first) => change({ start: first, end: between(first, end, addDays(first, LONGEST_DAYS - 1)) })}
        />
        to
        <DateField
          label="Last business date"
          date={end}
          onDate={(last) => change({ start: between(addDays(last, 1 - LONGEST_DAYS), start, last), end: last })}
        />
      </Steps>
    </div>
  );
}

const fullSpan = ({ start, end }: Period): string => formatSpan(start, end, 'full');

/** On paper they are the name of the group and the dates with their years. */
export function DateTools({ view, period, latest, newest, compares = true }: ToolsProps) {
  usePlace();
  const now = useStore(session);
  const comparison = compares ? comparisonOf(period, view.vs) : undefined;
  const chooseSpan = (span: Span): void => {
    const custom = span === 'custom' ? period : undefined;
    // The end of the chosen period does not change.
    const end = period.end === latest ? undefined : period.end;
    const d = view.span === 'custom' ? end : view.d;
    changeView({ span, custom, d });
  };
  const choices = versusChoices(period).map((value) => ({ value, label: versusName(value, period) }));
  return (
    <>
      <span class="paper">
        {'who' in now && now.who.group} · {fullSpan(period)}
        {comparison && `, compared with ${fullSpan(comparison)}`}
      </span>
      <Segments label="Span" options={SPANS} value={view.span} onChange={chooseSpan} />
      {view.span === 'custom' ? (
        <SpanFields period={period} latest={latest} newest={newest} />
      ) : (
        <DateStepper period={period} latest={latest} newest={newest} />
      )}
      {compares && (
        <Select<Versus>
          label="Compare with"
          before="vs"
          options={choices}
          value={offeredAs(view.vs, period)}
          onChange={(value) => changeView({ vs: value })}
        />
      )}
    </>
  );
}
