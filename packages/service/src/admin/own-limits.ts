/** The body that sets the limits that are a group's or a client's own. */
import { LIMIT_WORDS } from '../access/policies.ts';
import { readWindows } from '../contract/limits.ts';
import { Text } from '../contract/schemas.ts';
import { type BodyField, bodyReader, invalidField, optional } from '../http/body-fields.ts';
import type { OwnLimits } from '../ledger/group.ts';

const windowsField: BodyField<string> = {
  schema: Text('50/min,600/day', {
    title: 'LimitWindows',
    description: 'Calls per `s`, `min`, `h` or `day`, each at most once, separated by commas; or `off`',
  }),
  read(value, at) {
    try {
      if (typeof value === 'string') return readWindows(value).length === 0 ? 'off' : value;
    } catch {}
    throw invalidField(at, 'calls per s, min, h or day such as 5/s,30/min, or off');
  },
};
const ownLimits = bodyReader(
  'OwnLimits',
  Object.fromEntries(LIMIT_WORDS.map((word) => [word, optional(windowsField, undefined)])),
  {
    schema: {
      description: 'Only the limits that differ, by the name of their setting',
      examples: [{ check: '50/min' }],
    },
  },
);

/** Reads the body of a change of limits. Throws Problem invalid_body, unknown_field. */
export const readOwnLimits = (body: unknown): OwnLimits =>
  Object.fromEntries(
    Object.entries(ownLimits.read(body)).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The limits that are a client's or a group's own, as answers show them. */
export const OwnLimitsShown = ownLimits.schema;
