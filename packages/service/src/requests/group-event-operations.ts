/** The operation that streams the events of a group. */
import { Text } from '../contract/schemas.ts';
import { SCOPE_READ } from '../contract/words.ts';
import type { Operation } from '../http/operation.ts';

const EXAMPLE =
  'id: mc3k1x-17\nevent: loaded\ndata: {"restaurantGuid":"…","businessDates":["20260310"],"kind":"orders","at":"2026-03-11T05:00:00.000Z"}\n\n';

/** GET /events. */
export const watchGroup: Operation = {
  id: 'watchGroup',
  summary: 'Watch a management group as server-sent events',
  description:
    '`loaded` after every load that changed anything, with the business dates that it changed and `kind` (`orders`, `time-entries`, ' +
    '`payouts`); `report` whenever the status of a report changes; `connection` whenever a restaurant of a connection (preview) comes into ' +
    'another state. With `Last-Event-ID` the stream resumes after that event if it is at ' +
    'most an hour old, else it begins with `reset`: read again what you keep. The stream ends with its token, and after 15 minutes.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [
    {
      in: 'header',
      name: 'Last-Event-ID',
      description: 'The id of the last event received: the stream resumes after it.',
      schema: Text('1-42'),
    },
  ],
  answers: { 200: { description: 'The events.', content: { 'text/event-stream': Text(EXAMPLE) } } },
  problems: ['too_many_at_once'],
};
