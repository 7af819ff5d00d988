/** The columns of a rendered form, as expressions over the snapshot: CONTRACT 1.2 and 2.7. */
import { CheckRecord, LIVE_NAMES, MetricsRecord } from '../contract/records.ts';
import type { Form, Format } from './facts.ts';

/** The fields of a record in their order; the restaurant's name is last, and only there when asked for. */
const fieldsOf = (record: { properties: object }): string[] =>
  Object.keys(record.properties).filter((field) => field !== 'restaurantName');
const METRICS = fieldsOf(MetricsRecord);
const CHECK = fieldsOf(CheckRecord);

const text = (column: string): string => `cast("${column}" as varchar)`;
const money = (column: string): string => `money("${column}")`;
const instant = (column: string): string => `strftime(make_timestamp("${column}" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`;
/** As the wire has it in Parquet: a time in UTC. Through `to_timestamp`, which takes seconds as a double, it might be off by a microsecond. */
const timestamp = (column: string): string => `make_timestamptz("${column}" * 1000)`;
const decimalText = (column: string): string => `cast(money("${column}") as varchar)`;

type Writer = (column: string) => string;

/** How a stored value is written; the others are written as they are stored. */
const WRITERS: Record<string, Writer> = {
  businessDate: text,
  businessHour: text,
  netSalesAmount: money,
  grossSalesAmount: money,
  discountAmount: money,
  voidOrdersAmount: money,
  refundAmount: money,
  avgOrderValue: money,
  hourlyJobTotalHours: decimalText,
  hourlyJobTotalPay: decimalText,
  hourlyJobSalesPerLaborHour: decimalText,
  orderOpenDate: text,
  checkPaidDateTime: instant,
  checkModifiedDateTime: instant,
  checkTotalAmount: money,
  checkDiscountAmount: money,
  checkTaxAmount: money,
  checkTipAmount: money,
  checkGratuityAmount: money,
  checkRefundAmount: money,
};
/** What the `live` dialect writes differently: CONTRACT 2.7. */
const LIVE_WRITERS: Record<string, Writer> = {
  hourlyJobTotalHours: money,
  hourlyJobTotalPay: money,
  hourlyJobSalesPerLaborHour: money,
  orderNumber: text,
  checkNumber: text,
};
/**
 * Texts that came with the data. Spreadsheets run a CSV cell as a formula when it begins with `= + - @`, a tab, CR, LF or
 * NUL (OWASP, ASVS 1.2.10), in East Asian locales with the full-width signs, in some after blanks: such a text gets a
 * `'` before it. One that looks guarded already gets one too, so a reader can take it off again without guessing.
 */
const TEXTS = ['revenueCenter', 'diningOption', 'orderSource', 'serverName', 'restaurantName'];
const FORMULA = "^[ '']*[=+\\-@\\t\\r\\n\\x00＝＋－＠]";
const guarded = (column: string): string =>
  `case when regexp_matches("${column}", '${FORMULA}') then '''' || "${column}" else "${column}" end`;

/** What a format writes differently from JSON. NDJSON is written as JSON is. */
const FORMAT_WRITERS: Record<Format, Record<string, Writer>> = {
  json: {},
  ndjson: {},
  csv: Object.fromEntries(TEXTS.map((field) => [field, guarded])),
  parquet: {
    restaurantGuid: text,
    orderGuid: text,
    checkGuid: text,
    checkPaidDateTime: timestamp,
    checkModifiedDateTime: timestamp,
  },
};

/** What DuckDB's COPY is told of a format. CSV ends its lines as RFC 4180 does. */
export const COPY_OPTIONS: Record<Format, string> = {
  json: 'format json, array true',
  ndjson: 'format json, array false',
  csv: "format csv, header true, new_line '\\r\\n'",
  // Every reader of Parquet knows Snappy. zstd would save a quarter, and be read by none in a browser without more code.
  parquet: 'format parquet, compression snappy',
};

/** SQL expressions in the order of the record. All are constants of this file. */
export function columnsOf(form: Form): string[] {
  const fields = form.kind === 'metrics' ? METRICS : CHECK;
  const left =
    form.kind === 'metrics' && form.dialect === 'live' ? fields.filter((field) => asked(form, field)) : fields;
  return [...left, ...(form.names ? ['restaurantName'] : [])].map((field) => {
    const live = form.dialect === 'live';
    const write = FORMAT_WRITERS[form.format][field] ?? (live ? LIVE_WRITERS[field] : undefined) ?? WRITERS[field];
    const name = live ? (LIVE_NAMES[field] ?? field) : field;
    return `${write ? write(field) : `"${field}"`} as "${name}"`;
  });
}

/** Whether a field of a grouping was asked for; every other field is. */
function asked(form: Form, field: string): boolean {
  switch (field) {
    case 'revenueCenter':
      return form.groups.includes('REVENUE_CENTER');
    case 'diningOption':
      return form.groups.includes('DINING_OPTION');
    case 'orderSource':
      return form.groups.includes('ORDER_SOURCE');
    case 'businessHour':
      return form.aggregate === 'HOUR';
    default:
      return true;
  }
}
