/** One order of an export in the format of POS APIs (docs/metrics.md#source-data). */

import { CellProblem, personOf } from './cell-values.ts';
import { type Draft, stopOrder } from './join.ts';
import { type Context, sourceChecks } from './source-checks.ts';
import { isoInstant, readMoment } from './times.ts';

/**
 * The source order of a draft; undefined, with a note in the tally, if the export does not say when it was opened. An
 * export has no modifiedDate: of two imports, the later one counts.
 */
export function sourceOrder(draft: Draft, context: Context, timeZone: string): Record<string, unknown> | undefined {
  const openedAt = openedOf(draft, timeZone);
  if (openedAt === undefined) {
    stopOrder(draft, 'no file says when the order was opened');
    return undefined;
  }
  const { values } = draft.row ?? {};
  const parts = [...draft.checks.values()].flatMap(({ items, payments }) => [...items, ...payments]);
  const firstOf = (read: (part: (typeof parts)[number]) => string | undefined): string | undefined =>
    parts.map(read).find((text) => text !== undefined);
  const checkRows = [...draft.checks.values()].flatMap(({ row }) => row ?? []);
  const diningOption = values?.diningOption ?? firstOf((part) => part.values.diningOption);
  const server =
    values?.server ??
    firstOf((part) => part.values.server) ??
    checkRows.find((row) => row.values.server)?.values.server;
  return {
    guid: context.guidOf('order', draft.id),
    businessDate: context.date,
    openedDate: isoInstant(openedAt),
    ...(values?.paid ? { paidDate: isoInstant(values.paid.at) } : {}),
    ...(values?.closed ? { closedDate: isoInstant(values.closed.at) } : {}),
    displayNumber: values?.number ?? firstOf((part) => part.values.orderNumber),
    numberOfGuests: values?.guests,
    voided: values?.voided ?? false,
    source: values?.source,
    ...(diningOption ? { diningOption: { name: diningOption } } : {}),
    ...(values?.revenueCenter ? { revenueCenter: { name: values.revenueCenter } } : {}),
    ...(server ? { server: personOf(server) } : {}),
    checks: sourceChecks(draft, context),
  };
}

/** Milliseconds since 1970 UTC: the time in OrderDetails, otherwise the earliest in an item, a payment or a check. */
function openedOf(draft: Draft, timeZone: string): number | undefined {
  if (draft.row?.values.opened) return draft.row.values.opened.at;
  const checks = [...draft.checks.values()];
  const parts = checks.flatMap(({ items, payments }) => [...items, ...payments]);
  const times = parts.flatMap(({ values }) => values.opened?.at ?? []);
  const found = times.length > 0 ? times : checks.flatMap(({ row }) => checkOpened(row?.values, timeZone) ?? []);
  // Not `Math.min(...found)`: an order may have more times than a call may have arguments.
  return found.length > 0 ? found.reduce((first, at) => Math.min(first, at)) : undefined;
}

/**
 * The instant at which a check was opened, in milliseconds since 1970 UTC: CheckDetails has the date and the time of
 * day in two columns.
 */
export function checkOpened(
  values: { openedDate?: string | undefined; openedTime?: string | undefined } | undefined,
  timeZone: string,
) {
  if (!values?.openedDate || !values.openedTime) return undefined;
  try {
    return readMoment(`${values.openedDate} ${values.openedTime}`, timeZone).at;
  } catch (error) {
    if (error instanceof CellProblem) return undefined;
    throw error;
  }
}
