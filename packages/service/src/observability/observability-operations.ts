/** What the routes of operating, and the pages, say of themselves. */
import Type from 'typebox';
import { exact, Text, Words } from '../contract/schemas.ts';
import type { Answer, Operation } from '../operation.ts';

const json = (schema: Type.TSchema): NonNullable<Answer['content']> => ({ 'application/json': schema });
const State = Words(['ok', 'failed'], { title: 'State', examples: ['ok'] });
const Readiness = Type.Object(
  {
    status: State,
    checks: Type.Array(Type.Object({ name: Text('ledger'), status: State }, { ...exact, title: 'ReadinessCheck' })),
  },
  { ...exact, title: 'Readiness' },
);
const uncached = { 'Cache-Control': { description: 'Never kept', schema: Type.Literal('no-store') } };

/** GET /livez. */
export const livez: Operation = {
  id: 'getLiveness',
  summary: 'Tell whether the process lives',
  tag: 'Operations',
  answers: {
    200: { description: 'It does', content: json(Type.Object({ status: Type.Literal('ok') }, exact)) },
  },
};
/** GET /readyz. */
export const readyz: Operation = {
  id: 'getReadiness',
  summary: 'Tell whether the service can serve, check by check',
  tag: 'Operations',
  answers: {
    200: { description: 'It can', headers: uncached, content: json(Readiness) },
    503: { description: 'It cannot: a check failed, or it is stopping', headers: uncached, content: json(Readiness) },
  },
};
/** GET /version. */
export const version: Operation = {
  id: 'getVersion',
  summary: 'Tell which version this is',
  tag: 'Operations',
  answers: {
    200: {
      description: 'The version',
      content: json(
        Type.Object(
          { name: Type.Literal('daypart'), version: Text('0.2.0'), node: Text('24.21.0') },
          { ...exact, title: 'Version' },
        ),
      ),
    },
  },
};
