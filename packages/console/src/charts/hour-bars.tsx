/** Amounts by hour of the clock: bars for the period, a tick for the comparison, dayparts below. */
import { sayHour } from '../model/dates.ts';
import type { HourAmount } from '../model/hours.ts';
import { AmountAxis, Plot, useWidth } from './frame.tsx';
import { axisOf } from './scale.ts';

interface HourBarsProps {
  hours: HourAmount[];
  label: string;
  /** The hours at which a daypart begins. */
  bounds: number[];
  formatAxis: (value: number) => string;
  format: (value: number) => string;
  /** How the hour compares, in words; empty without a comparison. */
  compare: (amount: HourAmount) => string;
  /** Hours of which the others are drawn faintly; undefined for all. */
  chosen?: readonly number[] | undefined;
  /** Called with an hour that is clicked, or that has the cursor at the Enter key. */
  onPick?: (hour: number) => void;
}

const HEIGHT = 300;
/** The width of the axis of amounts in pixels, with which content below is aligned. */
export const AXIS_WIDTH = 44;
/** Of "12 pm" and the space after it. */
const LABEL_WIDTH = 40;
const TOP = 12;
const BOTTOM = 24;

export function HourBars({ hours, label, bounds, formatAxis, format, compare, chosen, onPick }: HourBarsProps) {
  const { box, width } = useWidth(700);
  const values = hours.flatMap(({ now = 0, before = 0 }) => [now, before]);
  const { lines, y } = axisOf(values, [HEIGHT - BOTTOM, TOP]);
  const band = (width - AXIS_WIDTH) / Math.max(1, hours.length);
  const x = (hour: number): number => AXIS_WIDTH + band * hours.findIndex((one) => one.hour === hour);
  const [barWidth, tickWidth] = [Math.min(46, band * 0.66), Math.min(56, band * 0.86)];
  const middle = (hour: number): number => x(hour) + band / 2;
  const every = Math.ceil(LABEL_WIDTH / band);
  const amountAt = (at: number): HourAmount => hours[at] ?? { hour: 0, now: 0, before: undefined };
  return (
    <Plot
      label={label}
      width={width}
      height={HEIGHT}
      box={box}
      count={hours.length}
      onPick={onPick && ((at) => onPick(amountAt(at).hour))}
      xOf={(at) => middle(amountAt(at).hour)}
      yOf={(at) => y(Math.max(amountAt(at).now ?? 0, amountAt(at).before ?? 0))}
      say={(at) => {
        const amount = amountAt(at);
        return {
          head: amount.now === undefined ? '–' : format(amount.now),
          text: [sayHour(amount.hour), compare(amount)].filter(Boolean).join(', '),
        };
      }}
    >
      <AmountAxis lines={lines} y={y} left={AXIS_WIDTH} right={width} format={formatAxis} />
      {bounds.map((hour) => (
        <line key={hour} class="bound" x1={x(hour)} x2={x(hour)} y1={TOP} y2={HEIGHT} />
      ))}
      {hours.map(({ hour, now, before }, at) => {
        const center = middle(hour);
        return (
          <g key={hour}>
            <path
              class={chosen && !chosen.includes(hour) ? 'bar faded' : 'bar'}
              d={barPath(center - barWidth / 2, y(0), barWidth, y(0) - y(now ?? 0))}
            />
            {before !== undefined && before !== 0 && (
              <>
                <rect class="halo" x={center - tickWidth / 2} y={y(before) - 2.5} width={tickWidth} height={5} />
                <rect class="tick" x={center - tickWidth / 2} y={y(before) - 1} width={tickWidth} height={2} />
              </>
            )}
            {at % every === 0 && (
              <text x={center} y={HEIGHT - 6} text-anchor="middle">
                {sayHour(hour)}
              </text>
            )}
          </g>
        );
      })}
    </Plot>
  );
}

/** A bar from the base, whose other corners are round; a negative height is drawn downwards. */
function barPath(x: number, base: number, width: number, height: number): string {
  const r = Math.min(4, Math.abs(height), width / 2);
  const end = Math.sign(height) * r;
  return `M${x} ${base}v${end - height}q0 ${-end} ${r} ${-end}h${width - 2 * r}q${r} 0 ${r} ${end}v${height - end}z`;
}
