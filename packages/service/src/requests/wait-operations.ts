/** Parts shared by the operations that name a report request or wait for one. */
import { exact, Guid, Text, Type } from '../contract/schemas.ts';
import type { Answer, Header, Parameter } from '../http/operation.ts';

export const guidInPath: Parameter = {
  in: 'path',
  name: 'guid',
  description: 'The GUID that the create call returned; upper case is accepted',
  schema: Guid,
};
/** How long a retrieval waits (docs/contract.md#waiting). */
export const prefer: Parameter = {
  in: 'header',
  name: 'Prefer',
  description: '`wait=N` waits up to N seconds, at most 30, for the data; `respond-async` answers immediately',
  schema: Text('wait=10'),
};

/** Sent if `Prefer` was applied. */
export const preferenceApplied: Header = {
  description: 'The preference that was applied (RFC 7240)',
  schema: Text('wait=10'),
  optional: true,
};
/** For creates: docs/pagination.md#totals-of-a-report. */
export const preferForms: Parameter = {
  in: 'header',
  name: 'Prefer',
  description:
    '`forms=later` renders the JSON when it is first retrieved. A report that is only added up is completed sooner; its `bytes` are null',
  schema: Text('forms=later'),
};
export const InProgress: Answer = {
  description: 'The data is still being gathered; retry later',
  headers: {
    'Retry-After': { description: 'Seconds', schema: Type.Integer({ minimum: 1, examples: [1] }) },
    'Preference-Applied': preferenceApplied,
  },
  content: {
    'application/json': Type.Object(
      {
        message: Text('The data is still being gathered. Retry after the number of seconds in Retry-After.'),
        reportStatus: Type.Literal('IN_PROGRESS'),
        reportRequestGuid: Guid,
      },
      { ...exact, title: 'InProgress' },
    ),
  },
};
