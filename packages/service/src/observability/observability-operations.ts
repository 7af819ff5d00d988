/** The operations of health, version and metrics. */
import { Count, exact, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPE_ACCESS } from '../contract/words.ts';
import { json, type Operation } from '../http/operation.ts';
import { wordParameter } from '../http/query-parameters.ts';
import { VERSION } from '../version.ts';
import { STORES } from './checks.ts';

const State = Words(['ok', 'failed'], { title: 'State', examples: ['ok'] });
/** `degraded`: ready, but a store on another machine is unavailable. */
const Overall = Words(['ok', 'degraded', 'failed'], { title: 'OverallState', examples: ['ok'] });
const Readiness = Type.Object(
  {
    status: Overall,
    checks: Type.Array(Type.Object({ name: Text('ledger'), status: State }, { ...exact, title: 'ReadinessCheck' })),
  },
  { ...exact, title: 'Readiness' },
);
const uncached = { 'Cache-Control': { description: 'Never cached', schema: Type.Literal('no-store') } };

/** GET /livez. */
export const livez: Operation = {
  id: 'getLiveness',
  summary: 'Check whether the process is alive',
  tag: 'Operations',
  onSpare: true,
  answers: {
    200: { description: 'The process is alive', content: json(Type.Object({ status: Type.Literal('ok') }, exact)) },
  },
};
/**
 * Where all nodes use one store, a probe of each of them fails while it is unavailable: a balancer that then has nobody
 * left excludes it.
 */
export const EXCLUDED_STORE = wordParameter(
  'exclude',
  'A store whose absence does not make the service unready: the answer is then 200 and `degraded`',
  STORES,
  'ledger',
);
/** GET /readyz. */
export const readyz: Operation = {
  id: 'getReadiness',
  summary: 'Check whether the service is ready',
  tag: 'Operations',
  parameters: [EXCLUDED_STORE],
  problems: ['invalid_parameter'],
  answers: {
    200: {
      description:
        'The service is ready; `degraded` if facts or results on other machines, or the excluded store, cannot be reached',
      headers: uncached,
      content: json(Readiness),
    },
    503: {
      description: 'Not ready: a check failed, or the service is stopping',
      headers: uncached,
      content: json(Readiness),
    },
  },
};
/** GET /version. */
export const version: Operation = {
  id: 'getVersion',
  summary: 'Get the version',
  tag: 'Operations',
  answers: {
    200: {
      description: 'The version',
      content: json(
        Type.Object(
          { name: Type.Literal('daypart'), version: Text(VERSION), node: Text('24.21.0') },
          { ...exact, title: 'Version' },
        ),
      ),
    },
  },
};

const Bytes = Type.Integer({ minimum: 0, examples: [1_048_576] });
const Health = Type.Object(
  {
    status: Overall,
    version: Text(VERSION),
    startedAt: Instant,
    at: Instant,
    checks: Type.Array(Type.Object({ name: Text('ledger'), status: State }, { ...exact, title: 'ReadinessCheck' })),
    engineRestarts: Count,
    reports: Type.Object(
      { queued: Count, gathering: Count, completed: Count, failed: Count, oldestQueuedAt: Nullable(Instant) },
      exact,
    ),
    connections: Type.Object(
      {
        active: Count,
        failing: Count,
        refused: Count,
        lagSeconds: Type.Union([Count, Type.Null()], {
          description: 'Of the restaurant that is the furthest behind; null if none is read',
        }),
      },
      { ...exact, description: 'Preview: connections of all management groups to points of sale' },
    ),
    diskBytes: Type.Object(
      {
        ledger: Nullable(Bytes),
        facts: Nullable(Bytes),
        results: Type.Union([Bytes, Type.Null()], { description: 'Null until they were counted, and minutes old' }),
        free: Bytes,
      },
      {
        ...exact,
        description:
          'Of this node. With several nodes, the ledger and the facts are on servers and null; the results are its cache.',
      },
    ),
  },
  { ...exact, title: 'Health' },
);
/** GET /health, under the base. */
export const getHealth: Operation = {
  id: 'getHealth',
  summary: 'Get the state of the service: its checks, its queue and its disk',
  description: 'Reports are counted over all management groups.',
  tag: 'Operations',
  scopes: [SCOPE_ACCESS],
  answers: { 200: { description: 'The health, also when a check failed.', content: json(Health) } },
};
