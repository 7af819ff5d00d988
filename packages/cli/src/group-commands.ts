/** The commands about a management group: its restaurants, dayparts, events, imports, connections and access. */
import type { Command, Flag } from './command.ts';
import { CONNECTION_COMMANDS } from './connection-commands.ts';
import { EXIT_NOTE } from './exit.ts';
import { CONNECTION, LIST_FORMAT } from './flags.ts';

const RESTAURANTS: Command = {
  name: 'restaurants',
  summary: 'list the restaurants that these credentials can see',
  args: [],
  flags: [LIST_FORMAT, ...CONNECTION],
  notes: [EXIT_NOTE],
  examples: [['Those of another profile', 'restaurants --profile live']],
};

const RESTAURANTS_ADD: Command = {
  name: 'restaurants add',
  summary: 'create a restaurant and print its GUID',
  args: ['NAME'],
  flags: [
    { name: 'time-zone', value: 'ZONE', help: 'time zone of the restaurant: America/New_York; required' },
    { name: 'closeout-hour', value: 'HOUR', help: 'local hour at which a business date ends, 0 to 12 (4)' },
    { name: 'currency', value: 'CODE', help: 'ISO 4217: USD' },
    { name: 'overtime-multiplier', value: 'TIMES', help: 'factor for overtime pay, 1 to 10 (1.5)' },
    { name: 'refunds-on', value: 'DATE', help: 'date of refunds: refund, or order for that of the order (refund)' },
    { name: 'location-name', value: 'NAME', help: 'location name, for people' },
    { name: 'location-code', value: 'CODE', help: 'code of the location in your systems' },
    { name: 'test-mode', help: 'a restaurant for tests' },
    { name: 'guid', value: 'GUID', help: 'its GUID, if it already has one (a new one)' },
    { name: 'same-name', help: 'create it even if a restaurant of that name exists' },
    { name: 'json', help: 'the restaurant as JSON' },
    ...CONNECTION,
  ],
  notes: [EXIT_NOTE],
  examples: [
    ['Create one', 'restaurants add "Corner Bistro" --time-zone America/New_York --currency USD'],
    ['Its GUID in a script', 'restaurants add "Test Kitchen" --time-zone Europe/Paris --test-mode --profile work'],
  ],
};

const DAYPARTS: Command = {
  name: 'dayparts',
  summary: 'show or set the dayparts of the group, or of a restaurant',
  args: [],
  flags: [
    {
      name: 'restaurant',
      value: 'NAME',
      kind: 'restaurant',
      help: 'of this one: a name, its beginning, or a GUID (the group)',
    },
    {
      name: 'set',
      value: 'DAYPARTS',
      help: 'names and whole hours that cover the day once, between commas: "Lunch 11-17, Dinner 17-11"',
    },
    { name: 'reset', help: 'remove the restaurant’s own, so that it has those of its group' },
    { name: 'json', help: 'the dayparts as JSON' },
    ...CONNECTION,
  ],
  notes: [EXIT_NOTE],
  examples: [
    ['Show them', 'dayparts'],
    ['Those of the group', 'dayparts --set "Breakfast 5-11, Lunch 11-16, Dinner 16-22, Late night 22-5"'],
    ['A restaurant that differs', 'dayparts --restaurant "Night Owl" --set "Day 5-20, Night 20-5"'],
    ['As its group again', 'dayparts --restaurant "Night Owl" --reset'],
  ],
};

const ONE_RESTAURANT: Flag = {
  name: 'restaurant',
  value: 'NAME',
  kind: 'restaurant',
  help: 'only of this one: a name, its beginning, or a GUID',
};

const EVENTS: Command = {
  name: 'events',
  summary: 'show loads and the status of reports, as they happen',
  args: [],
  flags: [
    { name: 'after', value: 'ID', help: 'resume after this event; a service keeps events for an hour' },
    {
      name: 'kind',
      value: 'KIND',
      values: ['loaded', 'report', 'connection'],
      help: 'only loads, reports or connections',
    },
    { ...ONE_RESTAURANT, help: 'only loads and connections of this one: a name, its beginning, or a GUID' },
    { name: 'count', value: 'N', help: 'end after N events; without it, run until Ctrl-C' },
    {
      name: 'format',
      value: 'FORM',
      values: ['lines', 'ndjson'],
      help: 'lines (on a terminal) or ndjson (elsewhere), with the id of each event',
    },
    ...CONNECTION,
  ],
  notes: [
    'An interrupted connection is opened again and resumes after the last event. If some are missing, an event `reset` is printed.',
    EXIT_NOTE,
  ],
  examples: [
    ['What happens now', 'events'],
    ['Wait until a restaurant was loaded', 'events --kind loaded --restaurant "Harbor Light" --count 1'],
    ['Resume after an event', 'events --after mgn3x0-42'],
  ],
};

const IMPORTS: Command = {
  name: 'imports',
  summary: 'list the exports that the service imported in the last 30 days',
  args: [],
  flags: [ONE_RESTAURANT, LIST_FORMAT, ...CONNECTION],
  notes: ['Those of daypart import, of the console and of POST …/exports/{date}; the last 200.', EXIT_NOTE],
  examples: [['Of one restaurant', 'imports --restaurant "Harbor Light"']],
};

const LIMITS: Command = {
  name: 'limits',
  summary: 'show the remaining quota of the rate limits of a management group',
  args: [],
  flags: [
    { name: 'client', value: 'ID', help: 'with the limits of another client of the management group' },
    { name: 'group', value: 'GROUP', help: 'of another management group; requires the scope groups:admin' },
    LIST_FORMAT,
    ...CONNECTION,
  ],
  notes: ['These credentials need the scope access:admin.', EXIT_NOTE],
  examples: [['Of a client of your group', 'limits --client client-3f1c2a9b8d7e']],
};

const AUDIT: Command = {
  name: 'audit',
  summary: 'list who changed access over HTTP, newest first',
  args: [],
  flags: [
    { name: 'last', value: 'N', help: 'number of entries (50)' },
    { name: 'group', value: 'GROUP', help: 'of another management group; requires the scope groups:admin' },
    LIST_FORMAT,
    ...CONNECTION,
  ],
  notes: ['These credentials need the scope access:admin.', EXIT_NOTE],
  examples: [['For a spreadsheet', 'audit --last 500 --format csv']],
};

export const GROUP_COMMANDS: readonly Command[] = [
  RESTAURANTS,
  RESTAURANTS_ADD,
  DAYPARTS,
  EVENTS,
  IMPORTS,
  ...CONNECTION_COMMANDS,
  LIMITS,
  AUDIT,
];
