/** The types that the client guarantees. Compiled against the packed client by package.long.ts; never run. */
import {
  type BusinessDate,
  type CheckRecord,
  cents,
  comparedSpan,
  type DateSpan,
  Daypart,
  DaypartError,
  type DaypartOptions,
  type FieldError,
  type History,
  InvalidRequestError,
  type LaborAsk,
  laborTotals,
  type MenuAsk,
  type MetricsAsk,
  type MetricsRecord,
  RateLimitError,
  type Report,
  type Retrieval,
  type Rows,
  type Totals,
  totals,
  workedDates,
} from '@daypart/client';
import { type ConnectionSource, defineSource, isSourceError, SourceError } from '@daypart/client/source';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles when the type is true. */
function holds<_T extends true>(): void {}

declare const daypart: Daypart;
declare const signal: AbortSignal;

export async function labor(): Promise<void> {
  const plain = await daypart.labor.report({ range: 'day', start: 20260310 });
  type Plain = (typeof plain.rows)[number];
  holds<Equal<[Plain['netSalesAmount'], Plain['jobTitle'], Plain['employeeGuid']], [number, null, null]>>();
  holds<Equal<[Plain['totalHours'], Plain['totalCostPerNetSales']], [number, number | null]>>();

  const jobs = await daypart.labor.report({ range: 'year', start: 1, end: 2, groupBy: ['JOB'] });
  type Jobs = (typeof jobs.rows)[number];
  holds<Equal<[Jobs['netSalesAmount'], Jobs['jobTitle'], Jobs['employeeGuid']], [null, string | null, null]>>();

  const variable: LaborAsk = { range: 'custom', start: 1, end: 2 };
  const unknown = await daypart.labor.report(variable);
  type Unknown = (typeof unknown.rows)[number];
  holds<Equal<[Unknown['netSalesAmount'], Unknown['jobGuid']], [number | null, string | null]>>();

  // @ts-expect-error At most one group.
  await daypart.labor.report({ range: 'day', start: 1, groupBy: ['JOB', 'EMPLOYEE'] });
  // @ts-expect-error No such group.
  await daypart.labor.report({ range: 'day', start: 1, groupBy: ['DINING_OPTION'] });
}

export async function menu(): Promise<void> {
  const plain = await daypart.menu.report({ range: 'day', start: 20260310 });
  type Plain = (typeof plain.rows)[number];
  holds<Equal<[Plain['quantitySold'], Plain['menuItemGuid'], Plain['menuName']], [number, null, null]>>();

  const items = await daypart.menu.report({ range: 'week', start: 1, end: 2, groupBy: ['MENU_ITEM'] });
  type Items = (typeof items.rows)[number];
  holds<Equal<[Items['menuItemGuid'], Items['menuItemName'], Items['menuName']], [string | null, string, null]>>();

  const variable: MenuAsk = { range: 'custom', start: 1, end: 2 };
  const unknown = await daypart.menu.report(variable);
  type Unknown = (typeof unknown.rows)[number];
  holds<Equal<[Unknown['menuName'], Unknown['modifierGuid']], [string | null, string | null]>>();

  // @ts-expect-error At most one group.
  await daypart.menu.report({ range: 'day', start: 1, groupBy: ['MENU', 'MENU_ITEM'] });
  // @ts-expect-error No such group.
  await daypart.menu.report({ range: 'day', start: 1, groupBy: ['ITEM'] });
}

export async function cardPayments(): Promise<void> {
  const settled = await daypart.payout.report({ range: 'month', start: 1, end: 2 });
  type Settled = (typeof settled.rows)[number];
  holds<
    Equal<
      [Settled['settledDate'], Settled['salesPeriodStartDateTime'], Settled['payoutAmount']],
      [string, string | null, number]
    >
  >();
  holds<Equal<typeof settled.incomplete, number>>();

  const dates = await daypart.payoutSalesDates.report({ range: 'day', start: 1 });
  type Dates = (typeof dates.rows)[number];
  holds<Equal<[Dates['salesDate'], Dates['settledDates'], Dates['transactionCount']], [string, string[], number]>>();

  const payments = await daypart.payoutPayments.report({ range: 'week', start: 1, end: 2 });
  type Payment = (typeof payments.rows)[number];
  holds<
    Equal<[Payment['settledDate'], Payment['paidDateTime'], Payment['paymentTotal']], [string | null, string, number]>
  >();
  holds<Equal<[Payment['paymentCardBrand'], Payment['restaurantLocationName']], [string | null, string | null]>>();

  const guests = await daypart.guestPayments.report({ range: 'day', start: 1 });
  type Guest = (typeof guests.rows)[number];
  holds<Equal<[Guest['paymentDate'], Guest['cardFingerprint']], [string, string | null]>>();

  // @ts-expect-error Not for a year.
  await daypart.payout.report({ range: 'year', start: 1, end: 2 });
  // @ts-expect-error At most a week.
  await daypart.guestPayments.report({ range: 'month', start: 1, end: 2 });
  // @ts-expect-error It has no groups.
  await daypart.payoutPayments.report({ range: 'day', start: 1, groupBy: ['JOB'] });
}

export async function groups(): Promise<void> {
  const plain = await daypart.metrics.report({ range: 'day', start: 20260310 });
  const [row] = plain.rows as [MetricsRecord<{ range: 'day'; start: 20260310 }>];
  holds<Equal<typeof row.revenueCenter, null>>();
  holds<Equal<typeof row.businessHour, null>>();
  holds<Equal<typeof plain.guid, string>>();
  holds<Equal<typeof plain.asOf, string | null>>();

  const dining = await daypart.metrics.report({
    range: 'week',
    start: '20260301',
    end: '20260307',
    groupBy: ['DINING_OPTION'],
  });
  type Dining = (typeof dining.rows)[number];
  holds<Equal<Dining['diningOption'], string>>();
  holds<Equal<Dining['revenueCenter'], null>>();
  holds<Equal<Dining['orderSource'], null>>();
  holds<Equal<Dining['netSalesAmount'], number>>();
  holds<Equal<Dining['hourlyJobSalesPerLaborHour'], string | null>>();

  const two = await daypart.metrics.report({ range: 'day', start: 1, groupBy: ['ORDER_SOURCE', 'REVENUE_CENTER'] });
  type Two = (typeof two.rows)[number];
  holds<Equal<[Two['orderSource'], Two['revenueCenter'], Two['diningOption']], [string, string, null]>>();

  const variable: MetricsAsk = { range: 'day', start: 20260310 };
  const unknown = await daypart.metrics.report(variable);
  type Unknown = (typeof unknown.rows)[number];
  holds<Equal<Unknown['diningOption'], string | null>>();
  holds<Equal<Unknown['businessHour'], string | null>>();
  holds<Equal<Unknown, MetricsRecord>>();

  const list = ['DINING_OPTION'] as ('DINING_OPTION' | 'ORDER_SOURCE')[];
  const some = await daypart.metrics.report({ range: 'day', start: 1, groupBy: list });
  holds<Equal<(typeof some.rows)[number]['diningOption'], string | null>>();

  const perhaps = await daypart.metrics.report({
    range: 'day',
    start: 1,
    ...(list.length > 0 ? { groupBy: ['DINING_OPTION'] as const } : {}),
  });
  holds<Equal<(typeof perhaps.rows)[number]['diningOption'], string | null>>();
  const either = await daypart.metrics.report(
    list.length > 0
      ? { range: 'day', start: 1, aggregateBy: 'HOUR' }
      : { range: 'day', start: 1, groupBy: ['ORDER_SOURCE'] },
  );
  holds<Equal<(typeof either.rows)[number]['businessHour'], string | null>>();

  const hours = await daypart.metrics.report({ range: 'day', start: 1, aggregateBy: 'HOUR' });
  holds<Equal<(typeof hours.rows)[number]['businessHour'], string>>();
}

export async function names(): Promise<void> {
  const named = await daypart.checks.report({ range: 'day', start: 20260310, fetchRestaurantNames: true });
  holds<Equal<(typeof named.rows)[number]['restaurantName'], string>>();
  const bare = await daypart.checks.report({ range: 'day', start: 20260310 });
  const [first] = bare.rows;
  const name: string | undefined = first?.restaurantName;
  // @ts-expect-error not asked for, so perhaps not there
  const sure: string = bare.rows.map((row) => row.restaurantName)[0];
  void [name, sure];
}

export async function streams(): Promise<void> {
  const rows = daypart.checks.rows(
    { range: 'day', start: 20260310 },
    { signal, timeoutMs: 1000, onProgress: () => {} },
  );
  const iterable: AsyncIterable<CheckRecord<{ range: 'day'; start: 20260310 }>> = rows;
  for await (const row of rows) holds<Equal<typeof row.orderNumber, number | null>>();
  holds<Equal<typeof rows.guid, string | null>>();
  holds<Equal<typeof rows.asOf, string | null>>();
  const byGuid: Rows<MetricsRecord> = daypart.metrics.rows('0d000000-0000-4000-8000-000000000001');
  const history = daypart.metrics.history({
    from: '2026-01-01',
    to: { year: 2026, month: 3, day: 10 },
    groupBy: ['DINING_OPTION'],
  });
  for await (const part of history) {
    holds<Equal<[typeof part.start, typeof part.end, typeof part.cursor], [string, string, string]>>();
    holds<Equal<(typeof part.rows)[number]['diningOption'], string>>();
  }
  const all: Promise<{ diningOption: string }[]> = history.all();
  const any: History<{ netSalesAmount: number }> = history;
  const answer: Promise<Response> = daypart.metrics.open('guid', {
    format: 'parquet',
    headers: { range: 'bytes=0-9' },
  });
  void [iterable, byGuid, all, any, answer];
}

export async function looks(retrieval: Retrieval<MetricsRecord>, report: Report<CheckRecord>): Promise<void> {
  if (retrieval.ready) holds<Equal<typeof retrieval.rows, MetricsRecord[]>>();
  else holds<Equal<[typeof retrieval.reportStatus, typeof retrieval.retryAfterMs], [string, number | null]>>();
  // @ts-expect-error it may not be ready
  void retrieval.rows;
  // A status that a later version adds is a string too.
  const status: string = report.rows[0]?.checkStatus ?? 'OPEN';
  if (status === 'PAID') return;
}

export function mistakes(): void {
  // @ts-expect-error no such range
  void daypart.metrics.report({ range: 'fortnight', start: 20260310 });
  // @ts-expect-error checks have no custom range
  void daypart.checks.report({ range: 'custom', start: 20260310, end: 20260311 });
  // @ts-expect-error no such group
  void daypart.metrics.report({ range: 'day', start: 20260310, groupBy: ['SERVER'] });
  // @ts-expect-error checks have no groups
  void daypart.checks.create({ range: 'day', start: 20260310, groupBy: ['DINING_OPTION'] });
  // @ts-expect-error a report needs its first date
  void daypart.metrics.report({ range: 'day' });
  // @ts-expect-error WEEK is nothing to aggregate by
  void daypart.metrics.report({ range: 'day', start: 20260310, aggregateBy: 'WEEK' });
  // @ts-expect-error an instant is no business date
  const date: BusinessDate = new Date();
  // @ts-expect-error a secret without its id
  const half: DaypartOptions = { baseUrl: 'http://localhost/v1', clientSecret: 's' };
  // @ts-expect-error both kinds of credentials
  const both: DaypartOptions = { baseUrl: 'http://localhost/v1', clientId: 'i', clientSecret: 's', token: 't' };
  // @ts-expect-error neither
  const none: DaypartOptions = { baseUrl: 'http://localhost/v1' };
  // @ts-expect-error no such form
  void daypart.checks.open('guid', { format: 'pdf' });
  void [date, half, both, none];
}

export function errors(error: unknown): void {
  if (error instanceof InvalidRequestError) holds<Equal<typeof error.errors, FieldError[]>>();
  else if (error instanceof RateLimitError) holds<Equal<typeof error.retryAfterMs, number | undefined>>();
  else if (error instanceof DaypartError) {
    holds<Equal<[typeof error.status, typeof error.guid], [number | undefined, string | undefined]>>();
    const next: string = error.next;
    void next;
  }
  // @ts-expect-error the errors' base is not made by itself
  void new DaypartError('none');
}

export async function sums(): Promise<void> {
  const { rows } = await daypart.metrics.report({ range: 'day', start: 20260310, groupBy: ['ORDER_SOURCE'] });
  const sums: Totals[] = totals(rows, await daypart.restaurants.currencies());
  const [sum] = totals(rows, 'USD', workedDates(rows));
  holds<Equal<typeof sum, Totals>>();
  holds<Equal<typeof sum.currencyCode, string | null>>();
  void sums;
  holds<Equal<typeof sum.hourlyJobSalesPerLaborHourCents, number | null>>();
  const whole: number = cents(rows[0]?.netSalesAmount ?? '0.00');
  new Daypart({ baseUrl: 'http://localhost/v1', token: async () => 'token', fetch: globalThis.fetch });
  new Daypart({ baseUrl: 'http://localhost/era/v1', clientId: 'i', clientSecret: 's', auth: 'login' });
  void whole;
  const labor = await daypart.labor.report({ range: 'day', start: 20260310, groupBy: ['JOB'] });
  const [hours] = laborTotals(labor.rows, null);
  holds<Equal<typeof hours.netSalesPerEmployeeHourCents, number | null>>();
  holds<Equal<ReturnType<typeof comparedSpan>, DateSpan | undefined>>();
  // @ts-expect-error there is no such comparison
  comparedSpan({ start: '20260310', end: '20260310' }, 'month');
}

const source: ConnectionSource = defineSource({
  kind: 'till',
  title: 'Till',
  credentials: { key: { label: 'Key', secret: true } },
  requestsPerSecond: { usual: 1, most: 2 },
  signIn: async (ctx) => ({ headers: { authorization: `Bearer ${ctx.credentials.key}` }, until: ctx.now() }),
  restaurants: async () => ({ access: 'key', restaurants: [] }),
  settings: async () => null,
  orders: {
    everySeconds: 60,
    datesAtOnce: 1,
    begin: (now) => ({ until: now }),
    readUntil: ({ until }) => Number(until),
    async *changed(ctx, cursor) {
      const { json } = await ctx.request('GET', '/orders', { query: { from: Number(cursor.until) } });
      if (!Array.isArray(json)) throw new SourceError('upstream_changed', 'no list');
      yield { records: json, cursor };
    },
    async *dates() {},
  },
});
// @ts-expect-error a code that is none
new SourceError('other', 'text');
export const codeOf = (error: unknown) => (isSourceError(error) ? error.code : source.kind);
