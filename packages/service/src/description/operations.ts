/** What the route of the description says of itself. */
import Type from 'typebox';
import { Text } from '../contract/schemas.ts';
import type { Operation } from '../operation.ts';

/** GET /openapi.json. */
export const getDescription: Operation = {
  id: 'getDescription',
  summary: 'Get this description (OpenAPI 3.1)',
  tag: 'Operations',
  answers: {
    200: {
      description: 'The document, with the origin that was called as its server',
      content: {
        'application/json': Type.Object(
          {
            openapi: Text('3.1.0', { pattern: '^3\\.1\\.\\d+$' }),
            info: Type.Object({}, { additionalProperties: true }),
            paths: Type.Object({}, { additionalProperties: true }),
          },
          { title: 'Description', examples: [{ openapi: '3.1.0', info: {}, paths: {} }] },
        ),
      },
    },
  },
};
