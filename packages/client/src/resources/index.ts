/**
 * The resources of the client, one file each: the report families with their types of asks and records, dayparts,
 * access and imports. A new family is a file beside this one; here it gets a property and the export of its types.
 */
import type { ReportResource } from '../resource.ts';
import { CHECKS, type CheckResource } from './checks.ts';
import type { Family, FamilyTypes } from './family.ts';
import { GUEST_PAYMENTS, type GuestPaymentResource } from './guest-payments.ts';
import { LABOR, type LaborResource } from './labor.ts';
import { MENU, type MenuResource } from './menu.ts';
import { METRICS, type MetricsResource } from './metrics.ts';
import { PAYOUT, type PayoutResource } from './payout.ts';
import { PAYOUT_PAYMENTS, type PayoutPaymentResource } from './payout-payments.ts';
import { PAYOUT_SALES_DATE, type PayoutSalesDateResource } from './payout-sales-date.ts';

export type { CheckAsk, CheckFigures, CheckHistoryAsk, CheckRecord, CheckResource } from './checks.ts';
export type {
  GuestPaymentAsk,
  GuestPaymentHistoryAsk,
  GuestPaymentRecord,
  GuestPaymentResource,
} from './guest-payments.ts';
export type { LaborAsk, LaborFigures, LaborGroup, LaborHistoryAsk, LaborRecord, LaborResource } from './labor.ts';
export type { MenuAsk, MenuFigures, MenuHistoryAsk, MenuRecord, MenuResource, MenuSplit } from './menu.ts';
export type {
  GroupBy,
  MetricsAsk,
  MetricsFigures,
  MetricsHistoryAsk,
  MetricsRecord,
  MetricsResource,
} from './metrics.ts';
export type { PayoutAsk, PayoutFigures, PayoutHistoryAsk, PayoutRecord, PayoutResource } from './payout.ts';
export type { PayoutPaymentHistoryAsk, PayoutPaymentRecord, PayoutPaymentResource } from './payout-payments.ts';
export type {
  PayoutSalesDateHistoryAsk,
  PayoutSalesDateRecord,
  PayoutSalesDateResource,
} from './payout-sales-date.ts';

/** The properties of a client that are report families. */
export class FamilyResources {
  readonly metrics: MetricsResource;
  readonly checks: CheckResource;
  readonly labor: LaborResource;
  readonly menu: MenuResource;
  readonly payout: PayoutResource;
  readonly payoutPayments: PayoutPaymentResource;
  readonly payoutSalesDates: PayoutSalesDateResource;
  readonly guestPayments: GuestPaymentResource;
  /** The resource of a report family for which this version has no property. */
  readonly family: <T extends FamilyTypes>(family: Family<T>) => ReportResource<T>;

  constructor(open: <T extends FamilyTypes>(family: Family<T>) => ReportResource<T>) {
    this.family = open;
    this.metrics = open(METRICS);
    this.checks = open(CHECKS);
    this.labor = open(LABOR);
    this.menu = open(MENU);
    this.payout = open(PAYOUT);
    this.payoutPayments = open(PAYOUT_PAYMENTS);
    this.payoutSalesDates = open(PAYOUT_SALES_DATE);
    this.guestPayments = open(GUEST_PAYMENTS);
  }
}
