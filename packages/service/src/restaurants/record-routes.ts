/** Single records over HTTP: docs/contract.md#stored-records. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findRestaurant } from '../access/restaurant.ts';
import { units } from '../contract/currencies.ts';
import { Problem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import { readGuid } from '../contract/words.ts';
import type { StoredCheck } from '../facts/order.ts';
import type { CountingEntry, EntryQuery } from '../facts/shift.ts';
import { queryOf } from '../http/query-parameters.ts';
import {
  entryCursor,
  entryCursorOf,
  entryDates,
  entryEmployee,
  getCheck,
  listTimeEntries,
  timeEntriesOnPage,
} from './record-operations.ts';
import type { OneRestaurant } from './restaurants.ts';
import type { RestaurantDeps } from './routes.ts';

interface OneCheck {
  Params: { restaurantGuid: string; checkGuid: string };
}

const PAGE = 200;

/** Reads the query of the list. Throws a Problem that names the parameter. */
function readEntryQuery(query: Record<string, unknown>): EntryQuery {
  const { from, to } = entryDates.read(query);
  const employee = entryEmployee.read(query)?.toLowerCase();
  return { from, to, employee, after: entryCursor.read(query), limit: timeEntriesOnPage.read(query) ?? PAGE };
}

/** From millionths. */
const decimal = (micro: number): number => micro / 1_000_000;

/** A record of GET /restaurants/{guid}/time-entries. */
function entryAnswer(entry: CountingEntry) {
  const { regular_micro: regular, overtime_micro: overtime, regular_cents: cost, overtime_cents: overtimeCost } = entry;
  return {
    guid: entry.entry_guid,
    businessDate: String(entry.business_date),
    inDate: shownTime(entry.in_at),
    outDate: shownTime(entry.out_at),
    employeeGuid: entry.employee_guid,
    jobGuid: entry.job_guid,
    jobTitle: entry.job_title,
    regularHours: decimal(regular),
    overtimeHours: decimal(overtime),
    totalHours: decimal(regular + overtime),
    regularCost: units(cost),
    overtimeCost: units(overtimeCost),
    totalCost: units(cost + overtimeCost),
  };
}

/** The answer of GET /restaurants/{guid}/checks/{guid}. */
function checkAnswer({ check, items, payments, refunds }: StoredCheck) {
  return {
    orderGuid: check.order_guid,
    checkGuid: check.check_guid,
    orderNumber: check.order_number,
    checkNumber: check.check_number,
    businessDate: String(check.business_date),
    paidDate: shownTime(check.paid_at),
    status: check.status,
    voided: check.voided,
    totalAmount: units(check.total_cents),
    discountAmount: units(check.discount_cents),
    taxAmount: units(check.tax_cents),
    tipAmount: units(check.tip_cents),
    gratuityAmount: units(check.gratuity_cents),
    refundAmount: units(check.refund_cents),
    items: items.map((item) => ({
      name: item.item_name,
      itemGuid: item.item_guid,
      modifier: item.modifier,
      menuGroup: item.group_name,
      menu: item.menu_name,
      quantity: decimal(item.quantity),
      grossSalesAmount: units(item.gross_cents),
      discountAmount: units(item.discount_cents),
      netSalesAmount: units(item.gross_cents - item.discount_cents - item.refund_cents),
      refundAmount: units(item.refund_cents),
      voidAmount: units(item.void_cents),
    })),
    payments: payments.map((payment) => ({
      guid: payment.payment_guid,
      paidDate: shownTime(payment.paid_at),
      cardBrand: payment.card_brand,
      cardType: payment.card_type,
      amount: units(payment.total_cents - payment.tip_cents),
      tipAmount: units(payment.tip_cents),
      gratuityAmount: units(payment.gratuity_cents),
      refundAmount: units(payment.refund_cents),
    })),
    refunds: refunds.map((refund) => ({
      businessDate: String(refund.business_date),
      amount: units(refund.refund_cents),
    })),
  };
}

/** Mounts the routes under the base. */
export async function recordRoutes(app: FastifyInstance, { ledger, facts }: RestaurantDeps): Promise<void> {
  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/time-entries',
    { config: { operation: listTimeEntries } },
    async (request) => {
      const { id } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
      const query = readEntryQuery(queryOf(request));
      // One more than requested shows whether there is another page.
      const found = await facts.timeEntries(id, { ...query, limit: query.limit + 1 });
      const entries = found.slice(0, query.limit);
      const last = found.length > query.limit ? entries.at(-1) : undefined;
      return { timeEntries: entries.map(entryAnswer), nextCursor: last ? entryCursorOf(last) : null };
    },
  );

  app.get<OneCheck>(
    '/restaurants/:restaurantGuid/checks/:checkGuid',
    { config: { operation: getCheck } },
    async (request) => {
      const { id } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
      const guid = readGuid(request.params.checkGuid);
      const check = guid === undefined ? undefined : await facts.check(id, guid);
      if (!check)
        throw new Problem('check_not_found', 'No check report of the restaurant lists a check with this GUID.');
      return checkAnswer(check);
    },
  );
}
