/** What all charts share: their width, a point moved by pointer and arrows, and the axis of amounts. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels. Drawings are made at this width, so that their text is not scaled. */
export function useWidth(initial: number) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => setWidth(Math.max(200, Math.round(element.clientWidth)) || initial);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [initial]);
  return { box, width };
}

interface PlotProps {
  /** One sentence with the main finding, for screen readers. */
  label: string;
  width: number;
  height: number;
  box: RefObject<HTMLDivElement | null>;
  /** The number of points, and the place of each, in pixels from the left. */
  count: number;
  xOf: (at: number) => number;
  /** The height of the point in pixels from the top, for the place of its label. */
  yOf: (at: number) => number;
  /** The text of a point: shown beside it, and read by screen readers. */
  say: (at: number) => { head: string; text: string };
  /** Called with a point that is clicked, or that has the cursor at the Enter key. */
  onPick?: ((at: number) => void) | undefined;
  children: ComponentChildren;
}

/** The drawing. It is one stop of the Tab key; arrows move a point over it, Escape removes the point. */
export function Plot({ label, width, height, box, count, xOf, yOf, say, onPick, children }: PlotProps) {
  const [at, setAt] = useState<number>();
  const nearest = (x: number): number => {
    let best = 0;
    for (let one = 1; one < count; one++) if (Math.abs(xOf(one) - x) < Math.abs(xOf(best) - x)) best = one;
    return best;
  };
  const placeOf = ({ clientX }: MouseEvent): number =>
    nearest(clientX - (box.current?.getBoundingClientRect().left ?? 0));
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = count - 1;
    const moves: Record<string, number | undefined> = {
      ArrowRight: Math.min(last, (at ?? -1) + 1),
      ArrowLeft: Math.max(0, (at ?? count) - 1),
      Home: 0,
      End: last,
    };
    if (event.key === 'Escape') setAt(undefined);
    if (event.key === 'Enter' && at !== undefined) onPick?.(at);
    const move = moves[event.key];
    if (move === undefined || count === 0) return;
    event.preventDefault();
    setAt(move);
  };
  const point = at === undefined || at >= count ? undefined : { x: xOf(at), y: yOf(at), ...say(at) };
  const tipX = point && Math.min(Math.max(point.x, 70), width - 70);
  return (
    <div class="plot" ref={box}>
      <svg
        class={onPick ? 'chart picks' : 'chart'}
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move a point over the drawing
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
        onPointerMove={(event) => setAt(placeOf(event))}
        onClick={(event) => onPick?.(placeOf(event))}
        onPointerLeave={() => setAt(undefined)}
      >
        {children}
        {point && <line class="cursor" x1={point.x} x2={point.x} y1={0} y2={height - 20} />}
      </svg>
      {point && (
        <div class="tip" style={{ left: `${tipX}px`, top: `${Math.max(40, point.y - 8)}px` }}>
          <b>{point.head}</b> <span>{point.text}</span>
        </div>
      )}
      <span class="hidden" aria-live="polite">
        {point && `${point.head}, ${point.text}`}
      </span>
    </div>
  );
}

/**
 * The lines of an axis of amounts, the one at 0 stronger, and labels of every second one from 0; of the lowest too if
 * no other below 0 has one.
 */
export function AmountAxis(props: {
  lines: number[];
  y: (value: number) => number;
  left: number;
  right: number;
  format: (value: number) => string;
}) {
  const { lines, y, left, right, format } = props;
  const base = lines.indexOf(0);
  return (
    <g>
      {lines.map((value, at) => (
        <g key={at}>
          <line class={at === base ? 'grid base' : 'grid'} x1={left} x2={right} y1={y(value)} y2={y(value)} />
          {((at - base) % 2 === 0 || (base === 1 && at === 0)) && (
            <text x={left - 8} y={y(value) + 4} text-anchor="end">
              {format(value)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
