/**
 * A second implementation of METRICS, for the laws alone: straight from the source objects, record by record, without
 * a thought for speed, and sharing no code with the service. Cents are BigInts read from decimal text.
 */

// biome-ignore lint/suspicious/noExplicitAny: source objects are read as the JSON that they are
export type Json = any;

export interface NaiveRestaurant {
  guid: string;
  name: string;
  timeZone: string;
  closeoutHour: number;
  overtimeMultiplier: number;
  diningOptions: Record<string, string>;
  revenueCenters: Record<string, string>;
  employees: Record<string, string>;
  jobs: Record<string, { wageFrequency: string | null; excludeFromReporting: boolean }>;
}

/** The decimal text as a whole number of 10^-places, half away from zero. */
function digits(value: number, places: number): bigint {
  const text = expand(Math.abs(value));
  const [whole = '0', fraction = ''] = text.split('.');
  const padded = fraction.padEnd(places + 1, '0');
  let result = BigInt(whole + padded.slice(0, places));
  if (padded[places] !== undefined && padded[places] >= '5') result += 1n;
  return value < 0 ? -result : result;
}

/** Without an exponent. */
function expand(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return whole + fraction.padEnd(shift, '0');
}

const cents = (value: number | null | undefined): bigint =>
  value === null || value === undefined ? 0n : digits(value, 2);
const list = (value: Json[] | null | undefined): Json[] => value ?? [];

/** Dividend ÷ divisor as a whole number, half away from zero. */
function quotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const result = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -result : result;
}

const money = (amount: bigint): number => Number(amount) / 100;
const decimal = (hundredths: bigint): string => {
  const size = hundredths < 0n ? -hundredths : hundredths;
  const text = `${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
  return hundredths < 0n ? `-${text}` : text;
};

function instantOf(text: string): number {
  return new Date(text.replace(/\+0000$/, 'Z')).getTime();
}

/** Wall clock date and hour by Intl alone. */
export function wallClock(instant: number, timeZone: string): { date: string; hour: number } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((entry) => entry.type === type)?.value ?? '';
  return { date: `${part('year')}${part('month')}${part('day')}`, hour: Number(part('hour')) };
}

export function businessDateOf(instant: number, restaurant: NaiveRestaurant): string {
  const { date, hour } = wallClock(instant, restaurant.timeZone);
  if (hour >= restaurant.closeoutHour) return date;
  const day = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

/** The newest version of every order or entry, the later of equal ones, in no particular order. */
export function standing(records: Json[]): Json[] {
  const newest = new Map<string, Json>();
  for (const record of records) {
    const held = newest.get(record.guid);
    const at = (entry: Json): number => (entry.modifiedDate ? instantOf(entry.modifiedDate) : 0);
    if (!held || at(record) >= at(held)) newest.set(record.guid, record);
  }
  return [...newest.values()];
}

const counting = (discount: Json): boolean =>
  discount.processingState !== 'VOID' && discount.processingState !== 'PENDING_VOID';
const discountOf = (discount: Json): bigint => cents(discount.nonTaxDiscountAmount ?? discount.discountAmount);
const isSold = (selection: Json): boolean =>
  !selection.deferred &&
  !['TOAST_CARD_SELL', 'TOAST_CARD_RELOAD', 'HOUSE_ACCOUNT_PAY_BALANCE'].includes(selection.selectionType);

function add(values: bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

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
  gross: bigint;
  discount: bigint;
  refund: bigint;
}

const named = (reference: Json, names: Record<string, string>, otherwise: string): string =>
  reference?.name || names[reference?.guid?.toLowerCase()] || otherwise;

const dateOf = (order: Json, restaurant: NaiveRestaurant): string =>
  order.businessDate
    ? String(order.businessDate).replaceAll('-', '')
    : businessDateOf(instantOf(order.openedDate), restaurant);

function readOrder(order: Json, restaurant: NaiveRestaurant): Order | undefined {
  if (order.deleted || order.excessFood) return undefined;
  const counted = !order.voided;
  const checks = list(order.checks).filter((check) => !check.deleted);
  const live = counted ? checks.filter((check) => !check.voided) : [];
  const result: Order = {
    date: dateOf(order, restaurant),
    hour: wallClock(instantOf(order.openedDate), restaurant.timeZone).hour,
    dining: named(order.diningOption, restaurant.diningOptions, 'No Dining Option'),
    revenue: named(order.revenueCenter, restaurant.revenueCenters, 'No Revenue Center'),
    source: order.source ? order.source.toUpperCase().replaceAll(' ', '_').replaceAll('-', '_') : 'UNKNOWN',
    counted,
    guests: counted ? (order.numberOfGuests ?? 0) : 0,
    open: live.some((check) => check.paymentStatus !== 'CLOSED'),
    hasVoid: !counted,
    hasDiscount: false,
    voided: 0n,
    gross: 0n,
    discount: 0n,
    refund: 0n,
  };
  for (const check of checks) {
    if (check.voided) result.hasVoid = true;
    for (const selection of list(check.selections)) {
      if (selection.voided) result.hasVoid = true;
      if (selection.voided || check.voided || order.voided) result.voided += cents(selection.price);
    }
  }
  for (const check of live) {
    const selections = list(check.selections).filter((selection) => !selection.voided);
    const sold = selections.filter(isSold);
    const charges = list(check.appliedServiceCharges).filter(
      (charge) => !charge.gratuity && charge.serviceChargeCategory !== 'FUNDRAISING_CAMPAIGN',
    );
    result.gross += add(sold.map((selection) => cents(selection.preDiscountPrice)));
    result.gross += add(charges.map((charge) => cents(charge.chargeAmount)));
    const discounts = [check, ...sold].flatMap((holder) => list(holder.appliedDiscounts)).filter(counting);
    result.discount += add(discounts.map(discountOf));
    const anywhere = [check, ...selections].flatMap((holder) => list(holder.appliedDiscounts)).filter(counting);
    if (anywhere.length > 0) result.hasDiscount = true;
    const itemised = [...sold, ...charges]
      .map((holder) => cents(holder.refundDetails?.refundAmount))
      .filter((amount) => amount !== 0n);
    result.refund +=
      itemised.length > 0
        ? add(itemised)
        : add(list(check.payments).map((payment) => cents(payment.refund?.refundAmount)));
  }
  return result;
}

export interface NaiveQuery {
  start: string;
  end: string;
  hour?: boolean;
  groups?: string[];
}

function hoursAndPay(entries: Json[], restaurant: NaiveRestaurant): Map<string, { microHours: bigint; pay: bigint }> {
  const byDate = new Map<string, { microHours: bigint; pay: bigint }>();
  for (const entry of entries) {
    const job = restaurant.jobs[entry.jobReference?.guid?.toLowerCase()];
    if (entry.deleted || !entry.outDate || entry.hourlyWage === null || entry.hourlyWage === undefined) continue;
    if (job?.wageFrequency === 'SALARY' || job?.excludeFromReporting) continue;
    const date = entry.businessDate ? String(entry.businessDate) : businessDateOf(instantOf(entry.inDate), restaurant);
    const regular = digits(entry.regularHours ?? 0, 6);
    const overtime = digits(entry.overtimeHours ?? 0, 6);
    const given = (entry.regularPay ?? entry.overtimePay ?? null) !== null;
    const times = digits(restaurant.overtimeMultiplier, 6);
    const pay = given
      ? cents(entry.regularPay) + cents(entry.overtimePay)
      : quotient((regular * 1_000_000n + overtime * times) * cents(entry.hourlyWage), 1_000_000_000_000n);
    const held = byDate.get(date) ?? { microHours: 0n, pay: 0n };
    byDate.set(date, { microHours: held.microHours + regular + overtime, pay: held.pay + pay });
  }
  return byDate;
}

/** Metrics records in the order of CONTRACT 2.3, for one restaurant. By hour the labour fields are left out. */
export function naiveMetrics(orders: Json[], entries: Json[], restaurant: NaiveRestaurant, query: NaiveQuery): Json[] {
  const groups = ['DINING_OPTION', 'REVENUE_CENTER', 'ORDER_SOURCE'].filter((group) => query.groups?.includes(group));
  const rows = new Map<string, { key: (string | number)[]; orders: Order[] }>();
  const labour = hoursAndPay(standing(entries), restaurant);
  const inSpan = (date: string): boolean => date >= query.start && date <= query.end;
  const key = (date: string, hour: number, dining: string, revenue: string, source: string) => [
    date,
    query.hour ? (hour - restaurant.closeoutHour + 24) % 24 : -1,
    groups.includes('DINING_OPTION') ? dining : '',
    groups.includes('REVENUE_CENTER') ? revenue : '',
    groups.includes('ORDER_SOURCE') ? source : '',
  ];
  for (const record of standing(orders)) {
    const order = readOrder(record, restaurant);
    if (!order || !inSpan(order.date)) continue;
    const parts = key(order.date, order.hour, order.dining, order.revenue, order.source);
    const held = rows.get(JSON.stringify(parts)) ?? { key: parts, orders: [] };
    held.orders.push(order);
    rows.set(JSON.stringify(parts), held);
  }
  if (!query.hour) {
    const dates = new Set([...rows.values()].map((row) => row.key[0]));
    for (const date of labour.keys()) {
      if (dates.has(date) || !inSpan(date)) continue;
      const parts = key(date, 0, 'No Dining Option', 'No Revenue Center', 'UNKNOWN');
      rows.set(JSON.stringify(parts), { key: parts, orders: [] });
    }
  }
  const rank = query.hour && groups.length === 2 ? [0, 1, 2, 3, 4] : [2, 3, 4, 0, 1];
  const sorted = [...rows.values()].sort((a, b) => {
    for (const place of rank) {
      const [left = '', right = ''] = [a.key[place], b.key[place]];
      const order =
        typeof left === 'number' ? left - Number(right) : Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
      if (order !== 0) return order;
    }
    return 0;
  });
  return sorted.map(({ key: parts, orders: members }) => {
    const [date = '', turn = 0, dining, revenue, source] = parts;
    const total = (pick: (order: Order) => bigint): bigint => add(members.map(pick));
    const count = (test: (order: Order) => boolean): number => members.filter(test).length;
    const ordersCount = count((order) => order.counted);
    const net = total((order) => order.gross - order.discount - order.refund);
    const worked = labour.get(String(date));
    return {
      restaurantGuid: restaurant.guid,
      businessDate: date,
      guestCount: members.reduce((sum, order) => sum + order.guests, 0),
      voidOrdersCount: count((order) => order.hasVoid),
      discountOrderCount: count((order) => order.hasDiscount),
      ordersCount,
      openOrderCount: count((order) => order.open),
      closedOrderCount: ordersCount - count((order) => order.open),
      netSalesAmount: money(net),
      grossSalesAmount: money(total((order) => order.gross)),
      discountAmount: money(total((order) => order.discount)),
      voidOrdersAmount: money(total((order) => order.voided)),
      refundAmount: money(total((order) => order.refund)),
      avgOrderValue: ordersCount === 0 ? 0 : money(quotient(net, BigInt(ordersCount))),
      revenueCenter: groups.includes('REVENUE_CENTER') ? revenue : null,
      diningOption: groups.includes('DINING_OPTION') ? dining : null,
      orderSource: groups.includes('ORDER_SOURCE') ? source : null,
      businessHour: query.hour ? String((Number(turn) + restaurant.closeoutHour) % 24) : null,
      ...(query.hour
        ? {}
        : {
            hourlyJobTotalHours: decimal(quotient(worked?.microHours ?? 0n, 10_000n)),
            hourlyJobTotalPay: decimal(worked?.pay ?? 0n),
            hourlyJobSalesPerLaborHour: worked?.microHours
              ? decimal(quotient(net * 1_000_000n, worked.microHours))
              : null,
          }),
    };
  });
}

const whole = (value: unknown): number | null => (/^\d+$/.test(String(value ?? '')) ? Number(value) : null);
const utc = (text: string | null | undefined): string | null => (text ? new Date(instantOf(text)).toISOString() : null);

/** Check records, in no particular order. */
export function naiveChecks(orders: Json[], restaurant: NaiveRestaurant, query: NaiveQuery): Json[] {
  const records: Json[] = [];
  for (const order of standing(orders)) {
    const date = dateOf(order, restaurant);
    if (order.deleted || order.excessFood || date < query.start || date > query.end) continue;
    for (const check of list(order.checks)) {
      if (check.deleted) continue;
      const payments = list(check.payments);
      const stand = payments.filter(
        ({ paymentStatus }) => !['VOIDED', 'CANCELLED', 'DENIED', 'ERROR', 'ERROR_NETWORK'].includes(paymentStatus),
      );
      const tip = add(stand.map((payment) => cents(payment.tipAmount) - cents(payment.refund?.tipRefundAmount)));
      const gratuity = add(
        list(check.appliedServiceCharges)
          .filter((charge) => charge.gratuity)
          .map((charge) => cents(charge.chargeAmount)),
      );
      const refund = add(payments.map((payment) => cents(payment.refund?.refundAmount)));
      const discounts = [check, ...list(check.selections).filter((selection) => !selection.voided)]
        .flatMap((holder) => list(holder.appliedDiscounts))
        .filter(counting);
      const { server } = order;
      const inline = [server?.firstName, server?.lastName].filter((name) => name).join(' ');
      records.push({
        restaurantGuid: restaurant.guid,
        orderNumber: whole(order.displayNumber),
        orderGuid: order.guid,
        checkNumber: whole(check.displayNumber),
        checkGuid: check.guid,
        orderOpenDate: date,
        checkPaidDateTime: utc(check.paidDate),
        checkModifiedDateTime: utc(check.modifiedDate ?? order.modifiedDate),
        checkStatus: check.paymentStatus,
        checkVoidedStatus: Boolean(check.voided || order.voided),
        diningOption: named(order.diningOption, restaurant.diningOptions, 'No Dining Option'),
        revenueCenter: named(order.revenueCenter, restaurant.revenueCenters, 'No Revenue Center'),
        serverName: inline || restaurant.employees[server?.guid] || null,
        checkTotalAmount: money(cents(check.totalAmount) + gratuity + tip - refund),
        checkDiscountAmount: money(add(discounts.map(discountOf))),
        checkTaxAmount: money(cents(check.taxAmount)),
        checkTipAmount: money(tip),
        checkGratuityAmount: money(gratuity),
        checkRefundAmount: money(refund),
      });
    }
  }
  return records;
}
