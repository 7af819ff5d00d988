/** Long tables: only the visible rows are in the document. */
import { type ComponentChildren, options as rendering } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { formatCount } from '../model/money.ts';
import { measured, ROW_HEIGHT, rowsBetween, startsOf, UNMEASURED } from './row-window.ts';

interface WindowedProps {
  label: string;
  /** The cells of the heading. */
  head: ComponentChildren;
  /** The number of columns. */
  columns: number;
  count: number;
  /** The cells of a row, without the `tr`. */
  row: (at: number) => ComponentChildren;
}

/** Used before the box is measured. */
const USUAL_ROWS = 20;
/** More rows are not printed, but exported: 60 sheets. */
const MOST_PRINTED = 2000;

/** Whether the page is being printed. It is drawn for that before the event ends, because the browser does not wait. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const onPrint = ({ type }: Event): void => {
      const { debounceRendering } = rendering;
      rendering.debounceRendering = (draw) => draw();
      setPrinting(type === 'beforeprint');
      if (debounceRendering) rendering.debounceRendering = debounceRendering;
      else delete rendering.debounceRendering;
    };
    addEventListener('beforeprint', onPrint);
    addEventListener('afterprint', onPrint);
    return () => {
      removeEventListener('beforeprint', onPrint);
      removeEventListener('afterprint', onPrint);
    };
  }, []);
  return printing;
}

/**
 * Which rows are drawn in a box, and the heights of the gaps above and below them. The scroll position is only read: to
 * write it would stop the scroll of a key halfway, and the browser keeps rows in their place by itself.
 */
function useRows({ count, row }: WindowedProps, printing: boolean) {
  const box = useRef<HTMLElement>(null);
  const [{ top, height, heights }, setView] = useState({
    top: 0,
    height: USUAL_ROWS * ROW_HEIGHT,
    heights: UNMEASURED,
  });
  const look = (): void => {
    const element = box.current;
    if (!element) return;
    const { scrollTop, clientHeight, clientWidth } = element;
    // Rows are measured before they leave, and only then: what is drawn while nothing is scrolled settles at once.
    const rows = [...element.querySelectorAll<HTMLElement>('tbody tr[aria-rowindex]')];
    const drawn = new Map(rows.map((tr) => [Number(tr.getAttribute('aria-rowindex')) - 2, tr.offsetHeight]));
    setView((known) => ({
      top: scrollTop,
      height: clientHeight,
      heights: measured(known.heights, clientWidth, drawn),
    }));
  };
  useLayoutEffect(look, [row]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const starts = useMemo(() => startsOf(count, heights), [count, heights]);
  const [from, to] = printing ? [0, Math.min(count, MOST_PRINTED)] : rowsBetween(starts, top, top + height);
  const startOf = (at: number): number => starts[at] ?? 0;
  return { box, look, from, to, above: startOf(from), below: printing ? 0 : startOf(count) - startOf(to) };
}

/** A table that scrolls within its box. `aria-rowcount` is its number of rows, `aria-rowindex` the position of each. */
export function Windowed(props: WindowedProps) {
  const { label, head, columns, count, row } = props;
  const printing = usePrinting();
  const { box, look, from, to, above, below } = useRows(props, printing);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="windowed" ref={box} onScroll={look} tabIndex={0} aria-label={`Table of ${label}`}>
      <table class="data dense" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          <Gap height={above} columns={columns} />
          {Array.from({ length: to - from }, (_, at) => (
            <WindowedRow key={from + at} at={from + at} row={row} />
          ))}
          <Gap height={below} columns={columns} />
        </tbody>
      </table>
      {printing && count > MOST_PRINTED && (
        <p class="state">
          The first {formatCount(MOST_PRINTED)} of {formatCount(count)}. The export has all.
        </p>
      )}
    </section>
  );
}

/** A row. While the table is scrolled, only those that become visible are drawn. */
const WindowedRow = ({ at, row }: Pick<WindowedProps, 'row'> & { at: number }) =>
  useMemo(() => <tr aria-rowindex={at + 2}>{row(at)}</tr>, [at, row]);

/** The browser must not hold it in its place: that would scroll on by the rows that take its place. */
const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content, which cannot take the focus
    <tr aria-hidden="true" style={{ overflowAnchor: 'none' }}>
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;
