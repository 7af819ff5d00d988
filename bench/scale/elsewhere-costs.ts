/** The reports by day on PostgreSQL and SQLite, one engine at a time. */
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import type { Bare } from './bare.ts';
import { type Cost, medianOf } from './costs.ts';
import type { Elsewhere } from './elsewhere.ts';
import { openPostgres } from './postgres.ts';
import { QUESTIONS } from './questions.ts';
import type { Reported } from './reports.ts';
import { openSqlite } from './sqlite.ts';

export interface Loaded {
  seconds: number;
  bytes: number;
}

/** Asks an engine every question by day and writes its times to the costs; throws when it answers something else. */
async function ask(engine: Elsewhere, costs: Cost[], totals: Reported['totals']): Promise<Loaded> {
  for (const question of QUESTIONS.filter(({ section }) => section === 'by day')) {
    const ours = totals.get(question.name) ?? {};
    const theirs = await engine.totals(question);
    const wrong = Object.keys(theirs).find((key) => theirs[key] !== ours[key]);
    if (wrong) throw new Error(`${question.name}: ${wrong} is ${ours[wrong]}, on ${engine.name} ${theirs[wrong]}`);
    const cost = costs.find((one) => one.section === 'by day' && one.question === question.name);
    if (cost) cost[engine.name] = await medianOf(() => engine.report(question));
    process.stderr.write('.');
  }
  return { seconds: engine.loadSeconds, bytes: engine.bytes };
}

/** Returns the cost of loading; an engine that is not installed is omitted, with a note. */
export async function measureElsewhere(
  bare: Bare,
  restaurants: readonly RestaurantScope[],
  { costs, totals }: Reported,
  folder: string,
  memoryMb: number,
): Promise<Partial<Record<Elsewhere['name'], Loaded>>> {
  await bare.connection.run(
    `create or replace temp table restaurants as
     select id, guid, name from (select unnest(from_json($rows::json, '[{"id":"INTEGER","guid":"VARCHAR","name":"VARCHAR"}]'), recursive := true))`,
    { rows: JSON.stringify(restaurants.map(({ id, guid, name }) => ({ id, guid, name }))) },
  );
  const loaded: Partial<Record<Elsewhere['name'], Loaded>> = {};
  const opens = [() => openPostgres(bare, memoryMb), () => openSqlite(bare, folder, memoryMb)];
  for (const open of opens) {
    const engine = await open();
    if (!engine) {
      process.stderr.write('PostgreSQL is not installed: left out\n');
      continue;
    }
    try {
      loaded[engine.name] = await ask(engine, costs, totals);
    } finally {
      await engine.close();
    }
  }
  return loaded;
}
