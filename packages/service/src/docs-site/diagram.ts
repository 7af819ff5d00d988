/** The picture of /docs: where data comes from, and who reads it. Its colors are those of docs.css, light and dark. */
import { type Html, html } from './html.ts';

const WIDTH = 200;
const SOURCES = [
  { title: 'Point of sale', about: 'orders, time entries, menus' },
  { title: 'Nightly exports', about: 'folders of CSV files' },
];
const READER_BOXES = [
  { title: 'Console', about: 'an owner in a browser' },
  { title: 'API', about: 'programs, webhooks, events' },
  { title: 'Files', about: 'Excel, CSV, Parquet' },
];
const HEIGHT = 56;
const MIDDLE = 120;
const [LEFT, CENTER, RIGHT] = [2, 260, 518];

const textLine = (text: string, x: number, y: number, name: string): Html =>
  html`<text class="${name}" x="${x}" y="${y}" text-anchor="middle">${text}</text>`;

/** A box around its two lines; `y` is its middle. */
const boxOf = ({ title, about }: { title: string; about: string }, x: number, y: number): Html =>
  html`<rect class="box" x="${x}" y="${y - HEIGHT / 2}" width="${WIDTH}" height="${HEIGHT}" rx="8"/>${textLine(title, x + WIDTH / 2, y - 5, 'name')}${textLine(about, x + WIDTH / 2, y + 15, 'about')}
`;

/** An arrow to the right, from a height to another. */
const arrow = (x: number, from: number, to: number): Html => {
  const end = x + CENTER - LEFT - WIDTH - 6;
  return html`<path class="arrow" d="M${x} ${from}C${x + 30} ${from} ${end - 30} ${to} ${end} ${to}m-7 -5l7 5l-7 5"/>
`;
};

/** The heights of a column of boxes, around the middle. */
const heights = (boxes: readonly unknown[]): number[] =>
  boxes.map((_box, index) => MIDDLE + (index - (boxes.length - 1) / 2) * (HEIGHT + 24));

/** Drawn for a width of 720; a narrower page scales it. */
export function renderDiagram(): Html {
  const [from, to] = [heights(SOURCES), heights(READER_BOXES)];
  return html`<svg class="diagram" viewBox="0 0 720 240" role="img" aria-labelledby="diagram-title">
<title id="diagram-title">The point of sale and its nightly exports are loaded into Daypart, which answers with reports in the console, over the API and in files.</title>
${SOURCES.map((source, index) => boxOf(source, LEFT, from[index] ?? MIDDLE))}${from.map((height) => arrow(LEFT + WIDTH, height, MIDDLE))}<rect class="box own" x="${CENTER}" y="${MIDDLE - 52}" width="${WIDTH}" height="104" rx="8"/>${textLine('Daypart', CENTER + WIDTH / 2, MIDDLE - 14, 'name')}${textLine('loads what happened,', CENTER + WIDTH / 2, MIDDLE + 10, 'about')}${textLine('gathers reports', CENTER + WIDTH / 2, MIDDLE + 30, 'about')}
${to.map((height) => arrow(CENTER + WIDTH, MIDDLE, height))}${READER_BOXES.map((reader, index) => boxOf(reader, RIGHT, to[index] ?? MIDDLE))}</svg>`;
}
