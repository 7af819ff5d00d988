/** `daypart report` and `get`. */
import type { Comparison, Daypart } from '@daypart/client';
import { type Analysis, analyse } from './analyse.ts';
import type { ParsedArguments } from './arguments.ts';
import { openClient } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { addsUp } from './commands.ts';
import { deliver } from './deliver.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';
import type { TotalBy } from './lines.ts';
import { readConnection } from './profiles.ts';
import { readReportOptions } from './report-options.ts';
import { findTable, type ReportQuery, readReportQuery, shownSplits } from './report-query.ts';
import { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
import { readSorting } from './sort.ts';
import { existing, type Restaurants, sourceOf, tableOf } from './source.ts';
import { shownSpan } from './span.ts';
import type { Table } from './tables/table.ts';
import type { Terminal } from './terminal.ts';

/** Requests a report and delivers it. Throws UsageError before anything is sent if the arguments cannot be combined. */
export async function report(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const table = await findTable(terminal.tables, args.words[0]);
  const query = readReportQuery(args, table, terminal.now, terminal.zone);
  const analysis = readAnalysis(args, table);
  const options = readReportOptions(args, terminal);
  const connection = await readConnection(args, terminal);
  const client = openClient(connection, terminal);
  const restaurants = await findRestaurants(client, query, options.bounds.signal);
  const { span, groupBy, hourly, daypart, inactive } = query;
  const what = JSON.stringify([
    connection.url,
    connection.clientId,
    table.word,
    span,
    groupBy,
    hourly,
    inactive,
    restaurants,
    options.form,
    options.names,
    ...(options.isoDates ? ['iso'] : []),
    ...(options.isPeople ? ['people'] : []),
    ...(daypart ? ['daypart'] : []),
    // Its bytes are not those of the report, so that neither resumes the other.
    ...(analysis ? [analysis] : []),
  ]);
  const title = { what, dates: shownSpan(span), splits: shownSplits(query) };
  const start = { client, title, options, terminal };
  if (analysis) return await analyse(start, { query, restaurants, analysis });
  await deliver(start, async (remembered) => {
    if (remembered === undefined || query.range === null)
      return await sourceOf(client, query, restaurants, options.bounds.signal);
    // Requested again only if the remembered one has expired.
    let fresh: ReturnType<typeof sourceOf> | undefined;
    return {
      table,
      fresh: true,
      async guid() {
        fresh ??= sourceOf(client, query, restaurants, options.bounds.signal);
        const source = await fresh;
        if ('parts' in source)
          throw new CommandError(
            EXIT.failed,
            'the service has other ranges than before',
            'Run the same command again.',
          );
        return await source.guid();
      },
    };
  });
}

/** What to compute from the rows; undefined if they are delivered unchanged. */
function readAnalysis(args: ParsedArguments, table: Table): Analysis | undefined {
  // The table of commands checks their values.
  const totalBy = args.value('total-by') as TotalBy | undefined;
  const comparison = args.value('compare') as Comparison | undefined;
  const [strange] = table.addUp ? [] : ['total-by', 'compare'].filter((name) => args.has(name));
  if (strange !== undefined)
    throw new UsageError(
      `--${strange} is only for report metrics, not for ${table.word}; ${addsUp(args.value('total-by')?.trim())}`,
    );
  const sort = args.value('sort');
  const sorting = sort === undefined ? undefined : readSorting(sort, table, comparison !== undefined);
  return (totalBy ?? comparison ?? sorting) === undefined ? undefined : { totalBy, comparison, sorting };
}

/** The GUIDs of the typed restaurants; the list is only requested if a name is among them. */
async function findRestaurants(
  client: Daypart,
  { only, exclude }: ReportQuery,
  signal: AbortSignal,
): Promise<Restaurants> {
  const known = needsNames([...only, ...exclude]) ? await listRestaurants(client, signal) : [];
  const find = (typed: string[]): string[] => [...new Set(typed.map((word) => findRestaurant(word, known)))];
  return { restaurantIds: find(only), excludedRestaurantIds: find(exclude) };
}

/** `daypart get`. Throws UsageError if its argument is not a GUID. */
export async function get(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const [word] = args.words;
  if (word === undefined) throw new UsageError('get needs the GUID of a report');
  const guid = readGuid(word);
  if (guid === undefined) throw new UsageError(`${word} is no GUID`);
  const stated = args.value('kind');
  const table = stated === undefined ? undefined : await findTable(terminal.tables, stated);
  const options = readReportOptions(args, terminal);
  const connection = await readConnection(args, terminal);
  const client = openClient(connection, terminal);
  terminal.guid = guid;
  const what = JSON.stringify([
    connection.url,
    connection.clientId,
    guid,
    options.form,
    options.names,
    ...(options.isoDates ? ['iso'] : []),
    ...(options.isPeople ? ['people'] : []),
  ]);
  await deliver({ client, title: { what }, options, terminal }, async () =>
    existing(guid, table ?? (await tableOf(client, guid, terminal.tables, options.bounds.signal))),
  );
}
