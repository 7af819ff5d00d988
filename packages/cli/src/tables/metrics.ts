/** Sales metrics at a terminal. */
import { FIGURES } from '../figures.ts';
import { addUp, KEY_WORDS, type MetricsRow } from '../lines.ts';
import { namesOf, type Page, showNothing, showView, widthFor } from '../report-table.ts';
import { metricsTable } from './metrics-view.ts';
import { declaredBy, type Table } from './table.ts';

/** A sparkline is not wider than this. */
const WIDEST = 120;

/** Sales metrics are sums: even a year of a thousand restaurants by date fits into memory. */
async function show(page: Page, rows: AsyncIterable<MetricsRow>): Promise<void> {
  const all: MetricsRow[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const names = namesOf(all);
  const currencies = await page.currencies(names.length === 1);
  const dates = all.map((row) => row.businessDate).sort();
  await showView(page, metricsTable(all, Math.min(widthFor(page), WIDEST), currencies.of), { dates, names });
}

export const METRICS: Table = {
  word: 'metrics',
  ...declaredBy('metrics'),
  title: 'Sales metrics',
  nothing: 'no orders and no hours worked',
  splits: ['dining-option', 'revenue-center', 'order-source', 'hour', 'daypart'],
  partRange: 'custom',
  sortFields: { ...KEY_WORDS, ...Object.fromEntries(FIGURES.map(({ word, field }) => [word, field])) },
  reports: (client) => client.metrics,
  show,
  addUp,
};
