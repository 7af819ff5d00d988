/** Long tables: only the visible rows are in the document. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface WindowedProps {
  label: string;
  /** The cells of the heading. */
  head: ComponentChildren;
  /** The number of columns. */
  columns: number;
  count: number;
  /** The height of a row in pixels, equal to the one in the style sheet; all rows have the same height. */
  rowHeight: number;
  /** The cells of a row, without the `tr`. */
  row: (at: number) => ComponentChildren;
}

/** Rows above and below the visible ones, so that scrolling does not show gaps. */
const OVERSCAN = 8;
/** Used before the box is measured. */
const USUAL_ROWS = 20;

/** A table that scrolls within its box. `aria-rowcount` is its number of rows, `aria-rowindex` the position of each. */
export function Windowed({ label, head, columns, count, rowHeight, row }: WindowedProps) {
  const box = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState({ from: 0, rows: USUAL_ROWS, height: rowHeight });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      // With larger text, rows are higher than in the style sheet.
      const height = element.querySelector<HTMLElement>('tbody tr[aria-rowindex]')?.offsetHeight || rowHeight;
      const from = Math.floor(element.scrollTop / height);
      const rows = Math.ceil(element.clientHeight / height) + 1;
      setSeen((before) =>
        before.from === from && before.rows === rows && before.height === height ? before : { from, rows, height },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [rowHeight]);
  const end = Math.min(count, seen.from + seen.rows + OVERSCAN);
  const start = Math.max(0, Math.min(seen.from, end - seen.rows) - OVERSCAN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="windowed" ref={box} tabIndex={0} aria-label={`Table of ${label}`}>
      <table class="data dense" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          <Gap height={start * seen.height} columns={columns} />
          {Array.from({ length: Math.max(0, end - start) }, (_, at) => (
            <tr key={start + at} aria-rowindex={start + at + 2}>
              {row(start + at)}
            </tr>
          ))}
          <Gap height={(count - end) * seen.height} columns={columns} />
        </tbody>
      </table>
    </section>
  );
}

const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content, which cannot take the focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;
