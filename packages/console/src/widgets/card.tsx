/** The frame of a card, with a link to the report of its figures. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Periods, sayPeriod } from '../model/period.ts';
import { Icon } from './icon.tsx';

/** The beginning of a reportRequestGuid: "cf00dd21". */
export const shortGuid = (guid: string): string => guid.slice(0, 8);

/** A link to the report that contains the figures of a card. */
export function Source({ guid, what }: { guid: string | undefined; what: string }) {
  if (!guid) return null;
  const name = `Report ${shortGuid(guid)} behind ${what}`;
  return (
    <a class="source" href={`/reports/${guid}`} title={name} aria-label={name} data-report={guid}>
      <Icon name="reports" />
    </a>
  );
}

/** The class of what is dimmed while other dates are being loaded; `still` is undefined if it is not. */
export const dimClass = (plain: string, still: string | undefined): string =>
  still === undefined ? plain : `${plain} stale`;

/** The dates of what is dimmed, on its upper edge. */
export const Still = ({ text }: { text: string | undefined }) => (text ? <span class="tag still">{text}</span> : null);

interface LegendProps extends Periods {
  /** The mark of the comparison. */
  mark: 'tick' | 'dash';
  /** After the period. */
  more?: string | undefined;
}

/** The marks of a chart: of the period, and of its comparison. */
export const Legend = ({ period, comparison, mark, more }: LegendProps) => (
  <>
    <span class="legend">
      <i class="swatch" /> {sayPeriod(period)}
      {more}
    </span>
    {comparison && (
      <span class="legend">
        <i class={mark} /> {sayPeriod(comparison)}
      </span>
    )}
  </>
);

interface CardProps {
  title: string;
  aside?: ComponentChildren;
  end?: ComponentChildren;
  guid?: string | undefined;
  /** The content has no padding at the sides, for tables. */
  bleed?: boolean;
  width?: 4 | 5 | 6 | 7 | 8 | 12;
  id?: string;
  /** The dates that are still shown while others are being loaded, in words; undefined if what is shown is right. */
  still?: string | undefined;
  children: ComponentChildren;
}

export function Card(props: CardProps) {
  const { title, aside, end, guid, bleed = false, width = 12, id, still, children } = props;
  const heading = useId();
  return (
    <section class={dimClass(`card w${width}${bleed ? ' bleed' : ''}`, still)} aria-labelledby={heading} id={id}>
      <Still text={still} />
      <div class="card-head">
        <h2 id={heading}>{title}</h2>
        {aside && <span class="aside">{aside}</span>}
        <div class="end">
          {end}
          <Source guid={guid} what={title.toLowerCase()} />
          {/* Reserves its space until the report is known. */}
          {'guid' in props && !guid && <span class="source" aria-hidden="true" />}
        </div>
      </div>
      {children}
    </section>
  );
}

/** A chart that can be shown as a table, with the button for it in the heading of the card. */
export function useTable(what: string): { asTable: boolean; toggle: ComponentChildren } {
  const [asTable, setAsTable] = useState(false);
  const name = asTable ? `Show ${what} as a chart` : `Show ${what} as a table`;
  const toggle = (
    <button
      type="button"
      class="icon-button table-toggle"
      aria-pressed={asTable}
      aria-label={name}
      title={name}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon name="table" />
    </button>
  );
  return { asTable, toggle };
}
