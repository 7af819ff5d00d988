/** The operations of datasets. */
import { PLAIN_DATE_PATTERN, PLAIN_DATES, type PlainSpan, readPlainDate } from '../contract/dates.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { Text, Type } from '../contract/schemas.ts';
import { readGuid, SCOPE_READ } from '../contract/words.ts';
import { type ReportFamily, takesNames } from '../families/family.ts';
import type { Header, Operation } from '../http/operation.ts';
import { booleanParameter, parameter, type QueryParameter, wholeParameter } from '../http/query-parameters.ts';
import { aggregateBy, takesAggregate } from '../requests/query.ts';
import { byteOrderMark, retrieve } from './retrieval-operations.ts';

const MOST_WAIT_SECONDS = 120;

const dateParameter = (name: string, description: string, example: string): QueryParameter<PlainSpan, number> =>
  parameter(name, description, Type.String({ pattern: PLAIN_DATE_PATTERN, examples: [example] }), {
    parse: readPlainDate,
    expected: PLAIN_DATES,
    code: 'invalid_date',
  });

export const fromParameter = {
  ...dateParameter('from', `The first date: ${PLAIN_DATES}, in the latest time zone of the restaurants`, 'yesterday'),
  required: true,
};
export const toParameter = dateParameter(
  'to',
  'The last date, in the same words; by default that of `from`, so that `from=last-month` is the whole month',
  'yesterday',
);

const GUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
export const restaurantsParameter = parameter<readonly string[]>(
  'restaurants',
  'GUIDs of restaurants, separated by commas; by default all active ones that are not in test mode',
  Type.String({ pattern: `^${GUID}(,${GUID})*$`, examples: ['b1500000-0000-4000-8000-000000000001'] }),
  {
    parse(value) {
      const guids = typeof value === 'string' ? value.split(',').map(readGuid) : [undefined];
      return guids.every((guid) => guid !== undefined) ? guids : undefined;
    },
    expected: 'GUIDs separated by commas',
  },
);

/** Words separated by commas; which of them there are is checked with those of a create call. */
export const groupParameter = ({ groups, mostGroups }: ReportFamily): QueryParameter<readonly string[]> => {
  const one = `(${groups.join('|')})`;
  return parameter(
    'groupBy',
    `Groups of the rows: ${mostGroups === 1 ? 'one' : 'up to two, separated by a comma,'} of ${groups.join(', ')}`,
    Type.String({ pattern: `^${one}${mostGroups === 1 ? '' : `(,${one})?`}$`, examples: [groups[0]] }),
    {
      parse: (value) => (typeof value === 'string' && value !== '' ? value.split(',') : undefined),
      expected: `of ${groups.join(', ')}, separated by commas`,
    },
  );
};

export const datasetNames = booleanParameter(
  'names',
  'Whether each record has `restaurantName`; by default CSV, Parquet and xlsx have it, JSON and NDJSON do not',
  true,
);
const waitParameter = wholeParameter(
  'wait',
  `Most seconds to wait for a report that is not ready; ${MOST_WAIT_SECONDS} by default`,
  [0, MOST_WAIT_SECONDS],
  Type.Integer({ minimum: 0, maximum: MOST_WAIT_SECONDS, examples: [60] }),
);
/** The seconds of a query. */
export const readWait = (query: Record<string, unknown>): number => waitParameter.read(query) ?? MOST_WAIT_SECONDS;

const describedBy: Header = {
  description: 'The status of the report that was answered, `rel="describedby"`',
  schema: Text('<http://127.0.0.1:8080/v1/reports/b1500000-0000-4000-8000-000000000001>; rel="describedby"'),
};

/** GET /datasets/{dataset}. */
export function readDataset(family: ReportFamily): Operation {
  const { parameters = [], answers, problems = [], headers, limited } = retrieve(family, [SCOPE_READ]);
  const shared = parameters.filter(
    ({ in: place, name }) => name === 'format' || (place === 'header' && name !== 'Prefer'),
  );
  const linked = Object.entries(answers)
    .filter(([status]) => status !== '202')
    .map(([status, answer]) => {
      const { 'Preference-Applied': _none, ...rest } = answer.headers ?? {};
      return [status, { ...answer, headers: { ...rest, Link: describedBy } }];
    });
  const unlike: readonly ProblemCode[] = ['report_of_another_kind', 'sunset_passed'];
  return {
    id: `read${family.title}Dataset`,
    summary: `Read ${family.noun} at an address that stays the same`,
    description:
      'Answers with the report of these dates: the last one as long as nothing was loaded and no setting changed, else a new one, for which it waits. ' +
      'For spreadsheets and notebooks, which send one GET; they may sign in with client id and secret.',
    tag: 'Retrieval',
    scopes: [SCOPE_READ],
    takesBasic: true,
    parameters: [
      fromParameter,
      toParameter,
      restaurantsParameter,
      ...(family.groups.length > 0 ? [groupParameter(family)] : []),
      ...(takesAggregate(family) ? [aggregateBy(family)] : []),
      ...(takesNames(family) ? [datasetNames] : []),
      byteOrderMark,
      waitParameter,
      ...shared,
    ],
    answers: Object.fromEntries(linked),
    problems: [
      ...problems.filter((code) => !unlike.includes(code)),
      ...(['invalid_date', 'dates_reversed', 'span_too_long', 'date_in_future', 'unknown_restaurant'] as const),
      ...(family.groups.length > 0 ? (['invalid_group'] as const) : []),
      'dataset_not_ready',
    ],
    ...(headers ? { headers } : {}),
    ...(limited ? { limited } : {}),
  };
}
