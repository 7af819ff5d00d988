/** Metrics records of the naive model: docs/metrics.md#sales-metrics. */
import type { Daypart } from '../../packages/service/src/contract/dayparts.ts';
import {
  type DatedRefund,
  dateOf,
  discountsOn,
  isGone,
  type Json,
  list,
  listed,
  liveChecks,
  type NaiveQuery,
  type NaiveRestaurant,
  named,
  newestVersions,
  notVoided,
  refundsOf,
  type Sales,
  salesOf,
} from './naive.ts';
import { instantOf, wallClock } from './naive-clock.ts';
import { add, cents, decimal, money, quotient } from './naive-decimal.ts';
import { type Labour, labourByDay, labourByHour } from './naive-hours.ts';

interface Order {
  date: string;
  hour: number;
  dining: string;
  revenue: string;
  source: string;
  counted: boolean;
  guests: number;
  open: boolean;
  hasVoid: boolean;
  hasDiscount: boolean;
  voided: bigint;
  sales: Sales[];
  refunds: DatedRefund[];
}

function readOrder(order: Json, restaurant: NaiveRestaurant): Order | undefined {
  if (isGone(order) || order.excessFood) return undefined;
  const checks = list(order.checks).filter((check) => !check.deleted);
  const live = liveChecks(order);
  const items = checks.flatMap((check) =>
    list(check.selections).map((item) => ({ price: cents(item.price), own: item.voided, all: check.voided })),
  );
  const voidedItems = items.filter(({ own, all }) => own || all || order.voided);
  return {
    date: dateOf(order, restaurant),
    hour: wallClock(instantOf(order.openedDate), restaurant.timeZone).hour,
    dining: named(order.diningOption, restaurant.diningOptions, 'No Dining Option'),
    revenue: named(order.revenueCenter, restaurant.revenueCenters, 'No Revenue Center'),
    source: order.source ? order.source.toUpperCase().replaceAll(' ', '_').replaceAll('-', '_') : 'UNKNOWN',
    counted: !order.voided,
    guests: order.voided ? 0 : (order.numberOfGuests ?? 0),
    open: live.some((check) => listed(check.paymentStatus) !== 'CLOSED'),
    hasVoid: Boolean(order.voided) || voidedItems.length > 0 || checks.some((check) => check.voided),
    hasDiscount: live.some((check) => discountsOn([check, ...notVoided(check)]).length > 0),
    voided: add(voidedItems.map(({ price }) => price)),
    sales: live.map(salesOf),
    refunds: live.flatMap((check) => refundsOf(check, order, restaurant)),
  };
}

/** The names that a row stands for, empty where they were not asked for. */
interface Row {
  date: string;
  /** The clock hour, or the first hour of the daypart. */
  hour: number;
  dining: string;
  revenue: string;
  source: string;
  orders: Order[];
  /** In cents. */
  refunds: bigint[];
  labour: Labour | undefined;
}

/** The daypart of a clock hour, found by walking around the clock. */
function daypartOf(hour: number, dayparts: readonly Daypart[]): Daypart {
  for (const daypart of dayparts) {
    let at = daypart.from;
    do {
      if (at === hour) return daypart;
      at = (at + 1) % 24;
    } while (at !== daypart.to);
  }
  throw new Error(`no daypart has ${hour}`);
}

/** Labour by daypart: that of its hours. */
function labourByDaypart(entries: Json[], restaurant: NaiveRestaurant, dayparts: readonly Daypart[]): Labour[] {
  const found = new Map<string, Labour>();
  for (const one of labourByHour(entries, restaurant)) {
    const { from } = daypartOf(one.hour ?? -1, dayparts);
    const key = `${one.date} ${from}`;
    const sum = found.get(key) ?? { date: one.date, hour: from, microHours: 0n, hundredths: 0n, pay: 0n };
    sum.microHours += one.microHours;
    sum.hundredths += one.hundredths;
    sum.pay += one.pay;
    found.set(key, sum);
  }
  return [...found.values()];
}

/** Metrics records in their order (docs/contract.md#row-order), for one restaurant. */
export function naiveMetrics(orders: Json[], entries: Json[], restaurant: NaiveRestaurant, query: NaiveQuery): Json[] {
  const groups = query.groups ?? [];
  const inSpan = ({ date }: { date: string }): boolean => date >= query.start && date <= query.end;
  const { dayparts } = query;
  const isSplit = query.hour || dayparts !== undefined;
  const labourOf = query.hour ? labourByHour : labourByDay;
  const worked = dayparts ? labourByDaypart(entries, restaurant, dayparts) : labourOf(entries, restaurant);
  const labour = worked.filter(inSpan);
  const rows = new Map<string, Row>();
  /** The row of such names; made when missing. */
  const rowOf = ({ date, hour, dining, revenue, source }: Omit<Row, 'orders' | 'refunds' | 'labour'>): Row => {
    const names = {
      date,
      hour: dayparts ? daypartOf(hour, dayparts).from : query.hour ? hour : -1,
      dining: groups.includes('DINING_OPTION') ? dining : '',
      revenue: groups.includes('REVENUE_CENTER') ? revenue : '',
      source: groups.includes('ORDER_SOURCE') ? source : '',
    };
    const key = JSON.stringify(names);
    const row = rows.get(key) ?? { ...names, orders: [], refunds: [], labour: undefined };
    rows.set(key, row);
    return row;
  };
  for (const record of newestVersions(orders)) {
    const order = readOrder(record, restaurant);
    if (!order) continue;
    if (inSpan(order)) rowOf(order).orders.push(order);
    for (const { amount, ...time } of order.refunds.filter(inSpan)) rowOf({ ...order, ...time }).refunds.push(amount);
  }
  // Labour belongs to a date and hour: every row of it carries it, and where there is none it has a row of its own.
  for (const { date, hour = -1, ...worked } of labour) {
    const same = [...rows.values()].filter((row) => row.date === date && row.hour === hour);
    const nobody = { date, hour, dining: 'No Dining Option', revenue: 'No Revenue Center', source: 'UNKNOWN' };
    for (const row of same.length > 0 ? same : [rowOf(nobody)]) row.labour = { date, hour, ...worked };
  }
  const turn = (row: Row): number => (isSplit ? (row.hour - restaurant.closeoutHour + 24) % 24 : 0);
  const byTime = (a: Row, b: Row): number => Number(a.date) - Number(b.date) || turn(a) - turn(b);
  const byName = (a: Row, b: Row): number =>
    compare(a.dining, b.dining) || compare(a.revenue, b.revenue) || compare(a.source, b.source);
  const timeFirst = isSplit && groups.length === 2;
  return [...rows.values()]
    .sort((a, b) => (timeFirst ? byTime(a, b) || byName(a, b) : byName(a, b) || byTime(a, b)))
    .map((row) => recordOf(row, restaurant.guid, query));
}

/** Names are in the order of their bytes. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function recordOf(
  { date, hour, orders, refunds, labour, ...names }: Row,
  restaurantGuid: string,
  query: NaiveQuery,
): Json {
  const groups = query.groups ?? [];
  const count = (test: (order: Order) => boolean): number => orders.filter(test).length;
  const total = (field: keyof Sales): bigint => add(orders.flatMap(({ sales }) => sales.map((one) => one[field])));
  const ordersCount = count((order) => order.counted);
  const refund = add(refunds);
  const net = total('gross') - total('discount') - refund;
  return {
    restaurantGuid,
    businessDate: date,
    guestCount: orders.reduce((sum, order) => sum + order.guests, 0),
    voidOrdersCount: count((order) => order.hasVoid),
    discountOrderCount: count((order) => order.hasDiscount),
    ordersCount,
    openOrderCount: count((order) => order.open),
    closedOrderCount: ordersCount - count((order) => order.open),
    netSalesAmount: money(net),
    grossSalesAmount: money(total('gross')),
    discountAmount: money(total('discount')),
    voidOrdersAmount: money(add(orders.map((order) => order.voided))),
    refundAmount: money(refund),
    avgOrderValue: ordersCount === 0 ? 0 : money(quotient(net, BigInt(ordersCount))),
    revenueCenter: groups.includes('REVENUE_CENTER') ? names.revenue : null,
    diningOption: groups.includes('DINING_OPTION') ? names.dining : null,
    orderSource: groups.includes('ORDER_SOURCE') ? names.source : null,
    businessHour: query.hour ? String(hour) : null,
    ...(query.dayparts ? { daypart: query.dayparts.find(({ from }) => from === hour)?.name } : {}),
    hourlyJobTotalHours: decimal(labour?.hundredths ?? 0n),
    hourlyJobTotalPay: decimal(labour?.pay ?? 0n),
    hourlyJobSalesPerLaborHour: labour?.hundredths ? decimal(quotient(net * 100n, labour.hundredths)) : null,
  };
}
