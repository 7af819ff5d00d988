/** Amounts by business date: a line for the period, a dashed one for the comparison. */
import { formatDate, weekdayOf } from '../model/dates.ts';
import { AmountAxis, Plot, useWidth } from './frame.tsx';
import { areaPath, axisOf, linear, linePath } from './scale.ts';

export interface DateAmount {
  date: string;
  /** Undefined if there are no data: the line has a gap. */
  now: number | undefined;
  before?: number | undefined;
}

interface DateLineProps {
  dates: DateAmount[];
  label: string;
  height?: number;
  /** The values of other drawings that share the scale. */
  shared?: number[];
  /** Dates with a dot: the same weekday as the last. */
  dots?: (date: string) => boolean;
  weekends?: boolean;
  /** Dates whose data are not complete: the line to them is dashed. */
  partial?: (date: string) => boolean | undefined;
  formatAxis: (value: number) => string;
  format: (value: number) => string;
  compare?: (amount: DateAmount) => string;
}

const LEFT = 44;
const TOP = 12;
const BOTTOM = 26;
/** Room for a label of an axis, in pixels. */
const LABEL_WIDTH = 70;

export function DateLine(props: DateLineProps) {
  const {
    dates,
    label,
    height = 240,
    shared = [],
    dots,
    weekends = false,
    partial,
    formatAxis,
    format,
    compare,
  } = props;
  const { box, width } = useWidth(640);
  const values = [...shared, ...dates.flatMap(({ now = 0, before = 0 }) => [now, before])];
  const { lines, y } = axisOf(values, [height - BOTTOM, TOP]);
  const last = Math.max(1, dates.length - 1);
  const x = linear([0, last], [LEFT + 1, width - 6]);
  const path = (values: (number | undefined)[]): string => linePath(values, x, y);
  const under = (values: (number | undefined)[]): string => areaPath(values, x, y);
  const now = dates.map((one) => one.now);
  const isPartial = (at: number): boolean => Boolean(dates[at] && partial?.(dates[at].date));
  const whole = now.map((value, at) => (isPartial(at) ? undefined : value));
  const part = now.map((value, at) => ([at - 1, at, at + 1].some(isPartial) ? value : undefined));
  const before = dates.map((one) => one.before);
  const day = x(1) - x(0);
  const amountAt = (at: number): DateAmount => dates[at] ?? { date: '20000101', now: undefined };
  return (
    <Plot
      label={label}
      width={width}
      height={height}
      box={box}
      count={dates.length}
      xOf={(at) => x(at)}
      yOf={(at) => y(amountAt(at).now ?? 0)}
      say={(at) => {
        const amount = amountAt(at);
        const note = compare?.(amount) || (isPartial(at) ? 'incomplete' : '');
        const text = [formatDate(amount.date, 'short'), note].filter(Boolean).join(', ');
        return { head: amount.now === undefined ? 'No data' : format(amount.now), text };
      }}
    >
      {weekends &&
        dates.map(({ date }, at) =>
          weekdayOf(date) >= 6 ? (
            <rect
              key={date}
              class="weekend"
              x={Math.max(LEFT, x(at) - day / 2)}
              y={TOP}
              width={Math.max(0, Math.min(width - 6, x(at) + day / 2) - Math.max(LEFT, x(at) - day / 2))}
              height={height - BOTTOM - TOP}
            />
          ) : null,
        )}
      <AmountAxis lines={lines} y={y} left={LEFT} right={width} format={formatAxis} />
      <path class="area" d={under(whole) ?? ''} />
      {before.some((value) => value !== undefined) && <path class="line other" d={path(before) ?? ''} />}
      <path class="line" d={path(whole) ?? ''} />
      {part.some((value) => value !== undefined) && <path class="line part" d={path(part) ?? ''} />}
      {dates.map(({ date, now: value }, at) =>
        value !== undefined && dots?.(date) ? (
          <circle
            key={date}
            class={at === dates.length - 1 ? 'point last' : 'point'}
            cx={x(at)}
            cy={y(value)}
            r={at === dates.length - 1 ? 5 : 3.2}
          />
        ) : null,
      )}
      <DateTicks dates={dates} x={x} y={height - 6} width={width} />
    </Plot>
  );
}

/** As many labels as fit, always including the last date, and the first if it fits too. */
function DateTicks({
  dates,
  x,
  y,
  width,
}: {
  dates: DateAmount[];
  x: (at: number) => number;
  y: number;
  width: number;
}) {
  const last = dates.length - 1;
  const room = Math.max(1, Math.floor((width - LEFT) / LABEL_WIDTH) - 1);
  const gaps = Math.max(1, Math.min(room, last));
  // Whole weeks if they fit, so that all labels are the same weekday.
  const step = last >= 7 ? Math.ceil(last / gaps / 7) * 7 : Math.ceil(last / gaps);
  const weekly = dates.map((_, at) => at).filter((at) => (last - at) % Math.max(1, step) === 0);
  const ticks = x(weekly[0] ?? 0) - x(0) > LABEL_WIDTH ? [0, ...weekly] : weekly;
  return (
    <g>
      {ticks.map((at) => (
        <text
          key={at}
          x={x(at)}
          y={y}
          text-anchor={at === last && last > 0 ? 'end' : x(at) < LEFT + 24 ? 'start' : 'middle'}
        >
          {formatDate(dates[at]?.date ?? '', 'day')}
        </text>
      ))}
    </g>
  );
}

/** A line of net sales over some weeks, small enough for a table cell. */
export function Spark({ values, label }: { values: (number | undefined)[]; label: string }) {
  const known = values.flatMap((value) => (value === undefined ? [] : [value]));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = linear([0, Math.max(1, values.length - 1)], [1, 99]);
  const y = linear([least, Math.max(most, least + 1)], [21, 3]);
  const last = values.at(-1);
  return (
    <svg viewBox="0 0 104 24" role="img" aria-label={label}>
      <path d={linePath(values, x, y)} />
      {last !== undefined && <circle cx={99} cy={y(last)} r={2.6} />}
    </svg>
  );
}

/** A bar of a share (0 to 1) of the width of its box. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg aria-hidden="true" class="share-bar">
    <rect class="bar-track" width="100%" height="6" rx="3" />
    <rect class="bar-fill" width={`${Math.max(0, Math.min(1, share)) * 100}%`} height="6" rx="3" />
  </svg>
);
