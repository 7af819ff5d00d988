/** The operations of management groups and of the limits that are a group's or a client's own. */
import { Count, exact, Nullable, Text, Type } from '../contract/schemas.ts';
import { LONGEST_ACCESS_NAME, SCOPE_GROUPS } from '../contract/words.ts';
import { bodyReader, optional, storedName } from '../http/body-fields.ts';
import { json, type Operation, type Parameter } from '../http/operation.ts';
import { clientParameter, required, textParameter } from '../http/query-parameters.ts';
import { clientId, inGroup, scopes } from './client-operations.ts';
import { OwnLimitsShown } from './own-limits.ts';

const Name = Text('Corner Bistro Ltd', {
  minLength: 1,
  maxLength: LONGEST_ACCESS_NAME,
  pattern: '\\S',
  description: 'For people; `group` without one',
});

/** The body of PUT /groups/{group}. */
export const groupBody = bodyReader('GroupRequest', {
  name: optional(storedName(Name, LONGEST_ACCESS_NAME), undefined),
});

const GroupShown = Type.Object(
  {
    group: Text('corner-bistro', { description: 'Identifies it' }),
    name: Text('Corner Bistro Ltd'),
    limits: OwnLimitsShown,
    removing: Type.Boolean({ description: 'Whether it is being removed', examples: [false] }),
  },
  { ...exact, title: 'ManagementGroup' },
);
const Seconds = Type.Integer({ minimum: 1, examples: [60] });
const Window = Type.Object(
  {
    name: Text('retrieval-minute', {
      description: 'As in the header `RateLimit`; those of a limit of the client itself begin with `client-`',
    }),
    quota: Count,
    seconds: Seconds,
    left: Count,
    endsInSeconds: Seconds,
  },
  { ...exact, title: 'LimitWindow' },
);
const LimitsLeft = Type.Object(
  {
    group: Text('corner-bistro'),
    clientId: Nullable(Text('client-3f1c2a9b8d7e', { description: 'Null for the limits of the group alone' })),
    windows: Type.Array(Window),
  },
  { ...exact, title: 'LimitsLeft' },
);

const groupInPath: Parameter = {
  in: 'path',
  name: 'group',
  required: true,
  description: 'The group',
  schema: Text('corner-bistro', { maxLength: 100 }),
};

/** GET /groups. */
export const listGroups: Operation = {
  id: 'listGroups',
  summary: 'List the management groups',
  tag: 'Access',
  scopes: [SCOPE_GROUPS],
  answers: { 200: { description: 'By `group`.', content: json(Type.Array(GroupShown)) } },
};

/** GET /groups/{group}. */
export const getGroup: Operation = {
  id: 'getGroup',
  summary: 'Get a management group',
  description: 'Another one than your own requires `groups:admin`.',
  tag: 'Access',
  scopes,
  parameters: [groupInPath],
  answers: { 200: { description: 'The group.', content: json(GroupShown) } },
  problems: ['group_not_found'],
};

/** PUT /groups/{group}. */
export const putGroup: Operation = {
  id: 'putGroup',
  summary: 'Create a management group, or give it a name',
  description:
    'Repeating the call is not an error. Clients of the group are created with `POST /clients` and its `group`.',
  tag: 'Access',
  scopes: [SCOPE_GROUPS],
  parameters: [groupInPath],
  body: {
    description: 'Its name for people; without one it keeps that it has',
    required: false,
    content: json(groupBody.schema),
  },
  answers: {
    200: { description: 'It existed.', content: json(GroupShown) },
    201: { description: 'Created.', content: json(GroupShown) },
  },
  problems: ['invalid_parameter', 'invalid_body', 'unknown_field', 'group_in_removal', 'storage_full'],
};

const limitsBody = {
  description: 'Replaces all of them; `{}` for those of the service',
  required: true,
  content: json(OwnLimitsShown),
} satisfies Operation['body'];

/** PUT /groups/{group}/limits. */
export const limitGroup: Operation = {
  id: 'limitGroup',
  summary: 'Set the rate limits of a management group',
  description: 'They are for all of its clients and sessions together, instead of those of the service.',
  tag: 'Access',
  scopes: [SCOPE_GROUPS],
  parameters: [groupInPath],
  body: limitsBody,
  answers: { 200: { description: 'The group.', content: json(GroupShown) } },
  problems: ['group_not_found', 'invalid_body', 'unknown_field', 'group_in_removal', 'storage_full'],
};

/** PUT /clients/{clientId}/limits. */
export const limitClient: Operation = {
  id: 'limitClient',
  summary: 'Set the share that a client has of the limits of its management group',
  description:
    'Its calls, those of its sessions too, then count for both. A share never exceeds the limits of the group.',
  tag: 'Access',
  scopes,
  parameters: [clientId],
  body: limitsBody,
  answers: { 200: { description: 'The limits that are its own now.', content: json(OwnLimitsShown) } },
  problems: ['client_not_found', 'invalid_body', 'unknown_field', 'storage_full'],
};

export const confirmParameter = required(
  textParameter(
    'confirm',
    'The name of the group, so that none is removed by mistake',
    Text('Corner Bistro Ltd', { minLength: 1 }),
    'the name of the group',
  ),
);

/** DELETE /groups/{group}. */
export const removeGroup: Operation = {
  id: 'removeGroup',
  summary: 'Remove a management group with all of its data',
  description:
    'Its clients, sessions and tokens are refused from now on. Facts, reports, restaurants, settings and its audit log are then deleted from all stores: poll `GET /groups/{group}` until it is 404. Export it before.',
  tag: 'Access',
  scopes: [SCOPE_GROUPS],
  parameters: [groupInPath, confirmParameter],
  answers: { 202: { description: 'It is being removed.', content: json(GroupShown) } },
  problems: ['group_not_found', 'invalid_parameter', 'own_group', 'storage_full'],
};

/** GET /limits. */
export const getLimits: Operation = {
  id: 'getLimits',
  summary: 'Get what is left of the rate limits of a management group',
  description:
    'Your own without a parameter. With `client`, or for your own group, the windows of a limit of the client itself follow. Another group, or a client of one, requires `groups:admin`.',
  tag: 'Access',
  scopes,
  parameters: [inGroup, clientParameter],
  answers: { 200: { description: 'One entry for each window; none with `--limits off`.', content: json(LimitsLeft) } },
  problems: ['invalid_parameter', 'client_not_found', 'group_not_found'],
};
