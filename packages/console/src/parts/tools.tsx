/** The date controls of a screen: span, date, comparison. Their values are stored in the address. */
import { addDays } from '@daypart/client';
import { navigate, usePlace } from '../data/router.ts';
import { formatDate, isoDate, readDate } from '../model/dates.ts';
import {
  LONGEST_DAYS,
  lengthOf,
  type Period,
  type Span,
  type Versus,
  versusChoices,
  versusName,
} from '../model/period.ts';
import { type View, writeView } from '../model/view.ts';
import { Segments, Select } from './controls.tsx';
import { Icon } from './icon.tsx';

const SPANS: readonly { value: Span; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
  { value: 'custom', label: 'Custom' },
];

/** Changes the view of this screen; `replace` while the user types. */
export function changeView(changes: Partial<View>, defaultSpan: Span, replace = false): void {
  navigate(location.pathname + writeView(location.search, changes, defaultSpan), { replace, keepScroll: true });
}

/** Changes a parameter that only this screen has; without a value it is left out. */
export function choose(name: string, value: string): void {
  const parameters = new URLSearchParams(location.search);
  if (value) parameters.set(name, value);
  else parameters.delete(name);
  navigate(`${location.pathname}?${parameters}`.replace(/\?$/, ''), { keepScroll: true });
}

interface ToolsProps {
  view: View;
  period: Period;
  latest: string;
  /** The span of the screen if the address has none. */
  defaultSpan: Span;
  /** Whether the screen has a comparison. */
  compares?: boolean;
}

function DateStepper({ period, latest, defaultSpan }: Omit<ToolsProps, 'view'>) {
  const days = lengthOf(period);
  const step = (by: number): void => {
    const d = addDays(period.end, by * days);
    changeView({ d: d >= latest ? undefined : d }, defaultSpan);
  };
  const choose = (text: string): void => {
    const d = readDate(text);
    if (d) changeView({ d: d === latest ? undefined : d }, defaultSpan);
  };
  const unit = days === 1 ? 'date' : `${days} days`;
  return (
    <div class="stepper">
      <button type="button" aria-label={`Previous ${unit}`} onClick={() => step(-1)} data-key="[">
        <Icon name="previous" />
      </button>
      <label class="date">
        <span aria-hidden="true">
          {days === 1
            ? formatDate(period.end, 'full')
            : `${formatDate(period.start, 'day')} – ${formatDate(period.end, 'day')}`}
        </span>
        <input
          type="date"
          aria-label={days === 1 ? 'Business date' : 'Last business date'}
          value={isoDate(period.end)}
          onClick={(event) => event.currentTarget.showPicker?.()}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </label>
      <button
        type="button"
        aria-label={`Next ${unit}`}
        disabled={period.end >= latest}
        onClick={() => step(1)}
        data-key="]"
      >
        <Icon name="next" />
      </button>
    </div>
  );
}

function SpanFields({ period, defaultSpan }: Pick<ToolsProps, 'period' | 'defaultSpan'>) {
  const change = (start: string | undefined, end: string | undefined): void => {
    if (!start || !end) return;
    const [first, last] = start <= end ? [start, end] : [end, start];
    const longest = addDays(first, LONGEST_DAYS - 1);
    changeView({ span: 'custom', custom: { start: first, end: last < longest ? last : longest } }, defaultSpan);
  };
  return (
    <div class="span-fields">
      <input
        type="date"
        aria-label="First business date"
        value={isoDate(period.start)}
        onChange={(event) => change(readDate(event.currentTarget.value), period.end)}
      />
      to
      <input
        type="date"
        aria-label="Last business date"
        value={isoDate(period.end)}
        onChange={(event) => change(period.start, readDate(event.currentTarget.value))}
      />
    </div>
  );
}

export function DateTools({ view, period, latest, defaultSpan, compares = true }: ToolsProps) {
  usePlace();
  const days = lengthOf(period);
  const chooseSpan = (span: Span): void => {
    const custom = span === 'custom' ? period : undefined;
    // The end of the chosen period does not change.
    const end = period.end < latest ? period.end : undefined;
    const d = view.span === 'custom' ? end : view.d;
    changeView({ span, custom, d }, defaultSpan);
  };
  const choices = versusChoices(days).map((value) => ({ value, label: versusName(value, days) }));
  const vs = choices.some(({ value }) => value === view.vs) ? view.vs : 'weekday';
  return (
    <>
      <Segments label="Span" options={SPANS} value={view.span} onChange={chooseSpan} />
      {view.span === 'custom' ? (
        <SpanFields period={period} defaultSpan={defaultSpan} />
      ) : (
        <DateStepper period={period} latest={latest} defaultSpan={defaultSpan} />
      )}
      {compares && (
        <Select<Versus>
          label="Compare with"
          before="vs"
          options={choices}
          value={vs}
          onChange={(value) => changeView({ vs: value }, defaultSpan)}
        />
      )}
    </>
  );
}
