/** Long tables: only the rows that can be seen are in the document. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

type Options = VirtualizerOptions<HTMLElement, Element>;

interface WindowedProps {
  label: string;
  /** The cells of the head. */
  head: ComponentChildren;
  /** How many columns there are. */
  columns: number;
  count: number;
  rowHeight: number;
  /** The cells of a row, without the `tr`. */
  row: (at: number) => ComponentChildren;
}

/** A table that scrolls within its box. Its count of rows is in `aria-rowcount`, the place of each in `aria-rowindex`. */
export function Windowed({ label, head, columns, count, rowHeight, row }: WindowedProps) {
  const box = useRef<HTMLElement>(null);
  const [, draw] = useReducer<number, void>((times) => times + 1, 0);
  const options: Options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="windowed" ref={box} tabIndex={0} aria-label={`Table of ${label}`}>
      <table class="data dense" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          <Gap height={above} columns={columns} />
          {items.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2}>
              {row(index)}
            </tr>
          ))}
          <Gap height={below} columns={columns} />
        </tbody>
      </table>
    </section>
  );
}

const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content, which nothing can focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;
