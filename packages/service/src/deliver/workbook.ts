/** What a workbook of a report says besides its rows: how wide its columns are, and a sheet about the report. */
import { dashedDate } from '../contract/dates.ts';
import { Problem } from '../contract/problems.ts';
import type { Form, Only } from '../facts/form.ts';
import { type ColumnType, columnsOf, type ReportFamily } from '../families/family.ts';
import { MOST_SHEET_ROWS } from '../files/workbook.ts';
import type { ReportRequest } from '../ledger/report.ts';

/** In characters; a column is at least as wide as its name and the button of its filter. */
const WIDTHS: Record<ColumnType, number> = {
  guid: 38,
  text: 22,
  count: 10,
  countText: 10,
  boolean: 10,
  money: 14,
  percent: 10,
  hours: 10,
  quantity: 12,
  decimalText: 12,
  date: 12,
  dateList: 24,
  hour: 8,
  instant: 20,
  localTime: 20,
};
const FILTER_WIDTH = 4;
/** How many of the restaurants and dates that lack details are named. */
const NAMED = 20;

type About = [heading: string, text: string][];

const listedWords = (words: readonly string[]): string =>
  words.map((word) => word.toLowerCase().replaceAll('_', ' ')).join(', ');

const onlyOf = ({ businessHour = [], diningOption, orderSource }: Only): string =>
  [...(businessHour.length > 0 ? [`hours ${businessHour.join(', ')}`] : []), diningOption, orderSource]
    .filter((one) => one !== undefined)
    .join('; ');

function questionOf(family: ReportFamily, { only }: Form, { guid, group, plan, rows, asOf }: ReportRequest): About {
  const { startDate, endDate, groups, aggregate, restaurantIds } = plan;
  const [first, last] = [dashedDate(startDate), dashedDate(endDate)];
  return [
    ['Report', family.label],
    ['Management group', group],
    ['Dates', first === last ? first : `${first} to ${last}`],
    ['Rows by', listedWords(['restaurant', 'date', ...(aggregate === 'DAY' ? [] : [aggregate]), ...groups])],
    ['Restaurants', String(restaurantIds.length)],
    // Those of a part are counted when it is made.
    only ? ['Only', onlyOf(only)] : ['Rows', String(rows ?? 0)],
    ['As of', `${new Date(asOf ?? 0).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['reportRequestGuid', guid],
  ];
}

/** What to know before adding up columns. */
function readingOf(columns: ReturnType<typeof columnsOf>): About {
  const has = (...types: ColumnType[]): boolean => columns.some(({ type }) => types.includes(type));
  return [
    ...(has('money')
      ? [['Currencies', 'Amounts are in the currency of currencyCode: do not add up several.'] as const]
      : []),
    ...(has('instant') ? [['Times', 'UTC'] as const] : []),
    ...(has('localTime') ? [['Times', 'Local times of the restaurant'] as const] : []),
    ['Definitions', 'What each figure means is at /docs/metrics of the service.'] as const,
  ].map(([heading, text]) => [heading, text]);
}

function incompleteOf({ needs }: ReportFamily, { incomplete }: ReportRequest): About {
  if (!incomplete) return [['Incomplete', 'Nothing is known to be missing.']];
  const days = incomplete.days.slice(0, NAMED);
  return [
    ['Incomplete', `${needs ?? 'data'} are missing for ${incomplete.count} restaurants and dates. The first of them:`],
    ...days.map(({ restaurantGuid, businessDate, missing }): [string, string] => [
      dashedDate(businessDate),
      missing === undefined ? restaurantGuid : `${restaurantGuid} (still read from the point of sale)`,
    ]),
  ];
}

/** The description of a field, if its record has one. */
function meaningsOf(family: ReportFamily, form: Form): About {
  const fields = family.records[form.dialect].properties;
  return columnsOf(family, form).flatMap(({ name }) => {
    const described = fields[name] as { description?: string } | undefined;
    return described?.description && name !== 'restaurantName' ? [[name, described.description]] : [];
  });
}

/** Throws a 406 Problem if a sheet cannot have all rows of the report. */
export function workbookOf(family: ReportFamily, report: ReportRequest, form: Form): Required<Form>['workbook'] {
  const rows = report.rows ?? 0;
  if (rows > MOST_SHEET_ROWS)
    throw new Problem(
      'not_acceptable',
      `A sheet has at most ${MOST_SHEET_ROWS} rows, and the report has ${rows}: use format=csv or parquet, or fewer dates or restaurants.`,
    );
  const columns = columnsOf(family, form);
  return {
    columns: columns.map(({ name, type }) => ({ name, width: Math.max(WIDTHS[type], name.length + FILTER_WIDTH) })),
    about: [
      ...questionOf(family, form, report),
      ...readingOf(columns),
      ...incompleteOf(family, report),
      ...meaningsOf(family, form),
    ],
  };
}
