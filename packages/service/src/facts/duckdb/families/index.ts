/** The SQL of every report family for this engine; a missing one does not compile. */
import type { ReportKind } from '../../../families/index.ts';
import { CHECK_SQL } from './check.ts';
import type { FamilySql } from './family.ts';
import { LABOR_SQL } from './labor.ts';
import { MENU_SQL } from './menu.ts';
import { METRICS_SQL } from './metrics.ts';
import { GUEST_PAYMENTS_SQL, PAYOUT_PAYMENTS_SQL, PAYOUT_SALES_DATE_SQL, PAYOUT_SQL } from './payout.ts';

export const FAMILY_SQL = {
  metrics: METRICS_SQL,
  check: CHECK_SQL,
  labor: LABOR_SQL,
  menu: MENU_SQL,
  payout: PAYOUT_SQL,
  'payout-payments': PAYOUT_PAYMENTS_SQL,
  'payout-sales-date': PAYOUT_SALES_DATE_SQL,
  'guest-payments': GUEST_PAYMENTS_SQL,
} as const satisfies Record<ReportKind, FamilySql>;
