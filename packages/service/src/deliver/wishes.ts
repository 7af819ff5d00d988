/** The form that the query and the headers of a call request. */
import type { FastifyRequest } from 'fastify';
import { fieldProblem } from '../contract/problems.ts';
import { chosenLayout, hasLayout, type Only } from '../facts/form.ts';
import { type ReportFamily, takesNames } from '../families/family.ts';
import { queryOf } from '../http/query-parameters.ts';
import { datasetNames } from './dataset-operations.ts';
import { type Choice, negotiate } from './negotiate.ts';
import { byteOrderMark, layoutParameter, namesParameter } from './retrieval-operations.ts';

export interface Wishes {
  choice: Choice;
  names: boolean;
  people: boolean;
  bom: boolean;
  /** Absent for all rows. */
  only?: Only | undefined;
}

/** Of a retrieval. Throws a Problem that names the parameter. */
export function readWishes(request: FastifyRequest, family: ReportFamily): Wishes {
  const query = queryOf(request);
  const choice = negotiate(query.format, request.headers);
  const layout = chosenLayout(choice.format, layoutParameter.read(query), (detail) =>
    fieldProblem('invalid_parameter', 'layout', detail),
  );
  return completed(query, family, choice, { names: namesParameter(family).read(query), people: layout === 'people' });
}

/** Of a dataset, in the layout `people` where the format has it. Throws a Problem that names the parameter. */
export function readDatasetWishes(request: FastifyRequest, family: ReportFamily): Wishes {
  const query = queryOf(request);
  const choice = negotiate(query.format, request.headers);
  const people = hasLayout(choice.format, 'people');
  return completed(query, family, choice, { names: datasetNames.read(query), people });
}

function completed(
  query: Record<string, unknown>,
  family: ReportFamily,
  choice: Choice,
  { names, people }: { names: boolean | undefined; people: boolean },
): Wishes {
  const bom = byteOrderMark.read(query) ?? false;
  if (bom && choice.format !== 'csv')
    throw fieldProblem('invalid_parameter', 'bom', `bom=true requires csv, not ${choice.format}: add format=csv`);
  return { choice, names: (names ?? people) && takesNames(family), people, bom };
}
