/** The reports of every question, through the service's own facts and compared with the bare engine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { FAMILY_SQL } from '../../packages/service/src/facts/duckdb/families/index.ts';
import { controlTotalsStep } from '../../packages/service/src/facts/duckdb/gather.ts';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import type { Bare } from './bare.ts';
import { type Cost, costOf } from './costs.ts';
import { KINDS, QUESTIONS, type Question, queryOf } from './questions.ts';

const FORM: Form = { format: 'json', kind: 'check', dialect: 'reference', names: false, groups: [], aggregate: 'DAY' };
/** The longest that a report may take, milliseconds. */
export const DEADLINE = { deadlineMs: 30 * 60_000 };

export interface Reported {
  costs: Cost[];
  /** Control totals of every report by day by its name, for those who answer it elsewhere. */
  totals: Map<string, Record<string, number>>;
}

/** Throws when the bare engine's file has other totals than the report: then the two did not do the same work. */
async function compareTotals(bare: Bare, { name, section }: Question, file: string, ours: Record<string, number>) {
  const kind = KINDS[section];
  const { sql } = controlTotalsStep([FAMILIES[kind], FAMILY_SQL[kind]], 'read_parquet($file)');
  const [row = {}] = (await bare.connection.runAndReadAll(sql, { file })).getRowObjectsJS();
  const wrong = Object.keys(ours).find((key) => Number(row[key]) !== ours[key]);
  if (wrong) throw new Error(`${name}: ${wrong} is ${ours[wrong]} in the report and ${row[wrong]} of the bare engine`);
}

/** Both forms of the checks: the snapshot, and the finished JSON. */
async function costsOfChecks(
  facts: DuckdbFacts,
  bare: Bare,
  query: GatherQuery,
  about: Pick<Cost, 'question' | 'section' | 'rows'>,
  [ours, theirs]: [string, string],
): Promise<Cost[]> {
  const json = ours.replace('.parquet', '.json');
  const rendered = async (): Promise<void> => {
    const gathered = await facts.gather(query, ours, DEADLINE, { form: FORM, file: json });
    if (!gathered.rendered) await facts.render(ours, FORM, json, DEADLINE);
  };
  return [
    await costOf(
      { ...about, question: `${about.question}, snapshot` },
      () => facts.gather(query, ours, DEADLINE),
      () => bare.report(query, theirs),
    ),
    await costOf({ ...about, question: `${about.question}, JSON` }, rendered, () => bare.checksJson(query, theirs)),
  ];
}

export async function measureReports(
  facts: DuckdbFacts,
  bare: Bare,
  restaurants: readonly RestaurantScope[],
  folder: string,
): Promise<Reported> {
  const costs: Cost[] = [];
  const totals: Reported['totals'] = new Map();
  const files: [string, string] = [join(folder, 'ours.parquet'), join(folder, 'bare.parquet')];
  for (const question of QUESTIONS) {
    const query = queryOf(question, restaurants);
    const gathered = await facts.gather(query, files[0], DEADLINE);
    await bare.report(query, files[1]);
    // The restaurants of the measurements have no currency.
    const answer: Record<string, number> = { rows: gathered.rows, ...gathered.totals[0]?.sums };
    await compareTotals(bare, question, files[1], answer);
    // Elsewhere only these are asked; a report by hour may have the same name.
    if (question.section === 'by day') totals.set(question.name, answer);
    const about = { question: question.name, section: question.section, rows: gathered.rows };
    if (question.section === 'checks') costs.push(...(await costsOfChecks(facts, bare, query, about, files)));
    else {
      const ours = () => facts.gather(query, files[0], DEADLINE);
      costs.push(await costOf(about, ours, () => bare.report(query, files[1])));
    }
    process.stderr.write('.');
    for (const file of files) await rm(file, { force: true });
  }
  return { costs, totals };
}
