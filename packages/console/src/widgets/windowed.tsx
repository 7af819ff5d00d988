/** Long tables: only the visible rows are in the document. */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { type ComponentChildren, options as rendering } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

import { formatCount } from '../model/money.ts';

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

/** Rows above and below the visible ones, so that scrolling does not show gaps. */
const OVERSCAN = 8;
/** Used before the box is measured. */
const USUAL_ROWS = 20;
/** The height of a dense row in pixels, equal to the one in the style sheet. */
const ROW_HEIGHT = 38;

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

type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** Which of the rows are visible in a box. The component is drawn again when that changes. */
function useRows(count: number, printing: boolean): [box: { current: HTMLElement | null }, rows: Rows] {
  const box = useRef<HTMLElement>(null);
  const height = useRef(ROW_HEIGHT);
  const [, draw] = useReducer<number, unknown>((times) => times + 1, 0);
  const options = {
    count,
    overscan: OVERSCAN,
    getScrollElement: () => box.current,
    estimateSize: () => height.current,
    initialRect: { width: 0, height: USUAL_ROWS * ROW_HEIGHT },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    rangeExtractor: printing
      ? () => Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, at) => at)
      : defaultRangeExtractor,
    onChange: draw,
  };
  const [rows] = useState(() => {
    const made: Rows = new Virtualizer(options);
    // Writing the position would stop the scroll of a key halfway; the browser keeps rows in their place by itself.
    made.shouldAdjustScrollPositionOnItemSizeChange = () => false;
    return made;
  });
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => {
    // With larger text, rows are higher than in the style sheet; rows whose name wraps are measured when they are
    // drawn.
    const drawn = [...(box.current?.querySelectorAll<HTMLElement>('tr[data-index]') ?? [])];
    if (drawn.length === 0) return;
    height.current = Math.min(...drawn.map((row) => row.offsetHeight));
    if (height.current === ROW_HEIGHT) return;
    rows.measure();
    drawn.forEach(rows.measureElement);
  }, [rows]);
  return [box, rows];
}

/** A table that scrolls within its box. `aria-rowcount` is its number of rows, `aria-rowindex` the position of each. */
export function Windowed({ label, head, columns, count, row }: WindowedProps) {
  const printing = usePrinting();
  const [box, rows] = useRows(count, printing);
  const drawn = rows.getVirtualItems();
  const after = rows.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="windowed" ref={box} tabIndex={0} aria-label={`Table of ${label}`}>
      <table class="data dense" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          <Gap height={drawn[0]?.start ?? 0} columns={columns} />
          {drawn.map(({ index }) => (
            <Row key={index} at={index} row={row} measure={rows.measureElement} />
          ))}
          <Gap height={printing ? 0 : after} columns={columns} />
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

interface RowProps extends Pick<WindowedProps, 'row'> {
  at: number;
  measure: (row: HTMLElement | null) => void;
}

/** A row. While the table is scrolled, only those that become visible are drawn. */
const Row = ({ at, row, measure }: RowProps) =>
  useMemo(
    () => (
      <tr ref={measure} data-index={at} aria-rowindex={at + 2}>
        {row(at)}
      </tr>
    ),
    [at, row, measure],
  );

const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content, which cannot take the focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;
