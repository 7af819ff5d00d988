/**
 * Cost against size as an SVG: both axes logarithmic, readable on light and dark backgrounds, made only of text and
 * lines.
 */
import { YEAR_OF_ALL } from './questions.ts';
import type { SizeResult } from './size.ts';

interface Series {
  label: string;
  /** Of the style sheet below. */
  color: 'a' | 'b' | 'c' | 'd' | 'e' | 'f';
  dashed?: boolean;
  /** Millions of checks, and milliseconds. */
  points: (readonly [millions: number, ms: number])[];
}

const WIDTH = 920;
const HEIGHT = 440;
/** The area between the axes of a panel; the right edge leaves room for labels. */
const PANEL = { top: 64, bottom: 376, width: 250 };
const LEFTS = [64, 500];
const MOST_MS = 100_000;
const LABEL_HEIGHT = 16;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: var(--ink) }
  .title { font-size: 14px; font-weight: 600 }
  .faint { fill: var(--faint) }
  .grid { stroke: var(--grid); stroke-width: 1 }
  path { fill: none; stroke-width: 2 }
  svg { --ink: #1f2328; --faint: #59636e; --grid: #d1d9e0; --ground: #ffffff;
    --a: #0969da; --b: #59636e; --c: #8250df; --d: #bc4c00; --e: #1a7f37; --f: #bf3989 }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #f0f6fc; --faint: #9198a1; --grid: #3d444d; --ground: #0d1117;
      --a: #4493f8; --b: #9198a1; --c: #ab7df8; --d: #f0883e; --e: #3fb950; --f: #db61a2 }
  }`;

function seriesOf(
  results: readonly SizeResult[],
  about: Omit<Series, 'points'>,
  pick: (result: SizeResult) => number | null | undefined,
): Series {
  const points = results.flatMap((result) => {
    const ms = pick(result);
    return ms === null || ms === undefined ? [] : [[result.filled.rows.checks / 1e6, ms] as const];
  });
  return { ...about, points };
}

function cost(section: string, question: string, engine: 'ours' | 'bare' | 'postgres' | 'sqlite' = 'ours') {
  return (result: SizeResult) =>
    result.costs.find((one) => one.section === section && one.question === question)?.[engine];
}

const PANELS: { title: string; lines: [Omit<Series, 'points'>, ReturnType<typeof cost>][] }[] = [
  {
    title: 'A year of 1000 restaurants, by day',
    lines: [
      [{ label: 'Daypart', color: 'a' }, cost('by day', YEAR_OF_ALL)],
      [{ label: 'bare engine', color: 'b', dashed: true }, cost('by day', YEAR_OF_ALL, 'bare')],
      [{ label: 'PostgreSQL', color: 'c', dashed: true }, cost('by day', YEAR_OF_ALL, 'postgres')],
      [{ label: 'SQLite', color: 'd', dashed: true }, cost('by day', YEAR_OF_ALL, 'sqlite')],
    ],
  },
  {
    title: 'Other work of Daypart',
    lines: [
      [{ label: 'checks, day × 1000, JSON', color: 'd' }, cost('checks', 'day × 1000, JSON')],
      [{ label: 'hours, day × 1000', color: 'c' }, cost('by hour', 'day × 1000, no group')],
      [{ label: 'load 2,000 orders', color: 'e' }, cost('loads', 'load 2,000 new orders of one restaurant')],
      [{ label: 'year × 1, by day', color: 'a' }, cost('by day', 'year × 1, no group')],
      [{ label: 'correct one order', color: 'f' }, cost('loads', 'correct one order of an old day')],
      [{ label: 'day × 1, by day', color: 'b' }, cost('by day', 'day × 1, no group')],
    ],
  },
];

const Y_TICKS: [number, string][] = [
  [1, '1 ms'],
  [10, '10 ms'],
  [100, '100 ms'],
  [1000, '1 s'],
  [10_000, '10 s'],
  [MOST_MS, '100 s'],
];
const X_TICKS: [number, string][] = [
  [1, '1 M'],
  [10, '10 M'],
  [100, '100 M'],
];

const lastOf = ({ points }: Series): readonly [number, number] => points.at(-1) ?? [1, 1];

/** One pixel counts, the tenth of one does not. */
const px = (value: number): string => value.toFixed(1);
const xOf = (millions: number, left: number): number => left + (Math.log10(Math.max(millions, 0.9)) / 2) * PANEL.width;
const yOf = (ms: number): number =>
  PANEL.bottom - (Math.log10(Math.min(Math.max(ms, 1), MOST_MS)) / Math.log10(MOST_MS)) * (PANEL.bottom - PANEL.top);

function axes(left: number): string[] {
  const right = left + PANEL.width;
  const rows = Y_TICKS.map(([ms, label]) => {
    const y = px(yOf(ms));
    return `<line class="grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text class="faint" x="${left - 8}" y="${px(yOf(ms) + 4)}" text-anchor="end">${label}</text>`;
  });
  const columns = X_TICKS.map(([millions, label]) => {
    const x = px(xOf(millions, left));
    return `<line class="grid" x1="${x}" x2="${x}" y1="${PANEL.top}" y2="${PANEL.bottom}"/><text class="faint" x="${x}" y="${PANEL.bottom + 18}" text-anchor="middle">${label}</text>`;
  });
  const middle = px(left + PANEL.width / 2);
  return [
    ...rows,
    ...columns,
    `<text class="faint" x="${middle}" y="${PANEL.bottom + 40}" text-anchor="middle">checks stored</text>`,
  ];
}

/** The places of the labels: beside the last points, moved down where two would touch. */
function labelPlaces(series: readonly Series[]): Map<Series, number> {
  const places = new Map<Series, number>();
  let least = Number.NEGATIVE_INFINITY;
  for (const one of series.toSorted((a, b) => lastOf(b)[1] - lastOf(a)[1])) {
    least = Math.max(yOf(lastOf(one)[1]), least + LABEL_HEIGHT);
    places.set(one, least);
  }
  return places;
}

/** The labels of a panel. A series that ends early has its label in the panel, beside its end. */
function labels(series: readonly Series[], left: number): string[] {
  const right = left + PANEL.width;
  const endOf = (one: Series): number => xOf(lastOf(one)[0], left);
  const ending = [series.filter((one) => endOf(one) > right - 40), series.filter((one) => endOf(one) <= right - 40)];
  return ending.flatMap((some, early) =>
    [...labelPlaces(some)].map(([one, y]) => {
      const from = `${px(endOf(one) + 5)} ${px(yOf(lastOf(one)[1]))}`;
      const x = early ? endOf(one) + 10 : right + 12;
      const leader = early
        ? ''
        : `<path d="M${from} L${right + 8} ${px(y)}" style="stroke: var(--${one.color}); stroke-width: 0.75"/>`;
      return `${leader}<text x="${px(x)}" y="${px(y + 4)}" style="fill: var(--${one.color})">${one.label}</text>`;
    }),
  );
}

function line({ points, color, dashed }: Series, left: number): string {
  const places = points.map(([millions, ms]) => [px(xOf(millions, left)), px(yOf(ms))] as const);
  const path = places.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
  const dots = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" style="fill: var(--${color})"/>`);
  return `<path d="${path}" style="stroke: var(--${color})"${dashed ? ' stroke-dasharray="5 4"' : ''}/>${dots.join('')}`;
}

function panel(results: readonly SizeResult[], { title, lines }: (typeof PANELS)[number], left: number): string[] {
  const series = lines.map(([about, pick]) => seriesOf(results, about, pick)).filter(({ points }) => points.length > 0);
  return [
    `<text class="title" x="${left}" y="${PANEL.top - 18}">${title}</text>`,
    ...axes(left),
    ...series.map((one) => line(one, left)),
    ...labels(series, left),
  ];
}

/** The whole picture. */
export function plotOf(results: readonly SizeResult[]): string {
  const panels = PANELS.flatMap((one, i) => panel(results, one, LEFTS[i] ?? 0));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Time against number of checks stored, both axes logarithmic">`,
    `<style>${STYLE}\n</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" style="fill: var(--ground)"/>`,
    '<text class="title" x="20" y="24">Time against size: both axes logarithmic, lower is better</text>',
    ...panels,
    '</svg>\n',
  ].join('\n');
}
