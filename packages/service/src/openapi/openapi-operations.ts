/** The operation that describes the route of the OpenAPI document. */
import { Text, Type } from '../contract/schemas.ts';
import { DIALECTS } from '../contract/words.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import type { Operation } from '../http/operation.ts';
import { wordParameter } from '../http/query-parameters.ts';

export const dialectParameter = wordParameter(
  'dialect',
  'The dialect of the credential that the generated client will use; both by default',
  DIALECTS,
  'reference',
);

/** GET /openapi.json. */
export const getDescription: Operation = {
  id: 'getDescription',
  summary: 'Get this description (OpenAPI 3.1)',
  description:
    'Records are described in both dialects, as a credential may have either; `dialect` chooses one, so that generated types have one shape for each record.',
  tag: 'Operations',
  parameters: [dialectParameter, ifNoneMatch],
  answers: taggedAnswers(
    'The document, with the origin that was called as its server',
    Type.Object(
      {
        openapi: Text('3.1.0', { pattern: '^3\\.1\\.\\d+$' }),
        info: Type.Object({}, { additionalProperties: true }),
        paths: Type.Object({}, { additionalProperties: true }),
      },
      { title: 'Description', examples: [{ openapi: '3.1.0', info: {}, paths: {} }] },
    ),
  ),
  problems: ['invalid_parameter'],
};
