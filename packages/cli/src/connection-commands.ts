/** The commands that connect a service to points of sale. */
import type { Command, Flag } from './command.ts';
import { EXIT_NOTE } from './exit.ts';
import { CONNECTION, DATES, LIST_FORMAT, PROFILE } from './flags.ts';

const JSON_FLAG: Flag = { name: 'json', help: 'the answer as JSON' };
const PREVIEW = 'Preview: it was written from public documentation and has not read a real account.';
const ADMIN = 'These credentials need the scope access:admin.';
const SERVICE =
  'The service is that of --profile, or of DAYPART_URL and DAYPART_CLIENT_ID: the other flags are of the point of sale.';
const SECRET =
  'The secret of the point of sale comes on standard input, or in DAYPART_CONNECT_SECRET or the file that DAYPART_CONNECT_SECRET_FILE names; on a terminal it is asked for and not shown.';

const CLIENT_ID: Flag = { name: 'client-id', value: 'ID', help: 'client id of the point of sale' };

const CONNECT_TOAST: Command = {
  name: 'connect toast',
  summary: 'connect a Toast point of sale, so that its restaurants are read from it (preview)',
  args: [],
  flags: [
    { name: 'url', value: 'ADDRESS', help: 'address of its API, which comes with the credentials: https://…' },
    CLIENT_ID,
    {
      name: 'restaurant',
      value: 'GUID',
      help: 'one restaurant, to find the others; credentials of a partner need none',
    },
    {
      name: 'only',
      value: 'NAME',
      many: true,
      help: 'read only this one: its name there, the beginning of it, or a GUID; may be repeated',
    },
    { name: 'backfill', value: 'DAYS', help: 'dates before today that are read, too: 28d (84d)' },
    { name: 'poll', value: 'SECONDS', help: 'seconds between two questions for changed orders, 30 to 3600 (120)' },
    { name: 'from', value: 'DATE', help: 'first date that is loaded, where earlier ones came from exports' },
    { name: 'name', value: 'NAME', help: 'a name for people (Toast)' },
    { name: 'dry-run', help: 'show what the credentials reach, store nothing' },
    JSON_FLAG,
    PROFILE,
  ],
  notes: [SERVICE, SECRET, ADMIN, PREVIEW, EXIT_NOTE],
  examples: [
    ['Asks for everything', 'connect toast'],
    [
      'What would be read',
      'connect toast --url https://ws-api.example.com --client-id ID --restaurant GUID --dry-run < secret.txt',
    ],
    [
      'Two restaurants, four weeks back',
      'connect toast --url https://ws-api.example.com --client-id ID --restaurant GUID --only "Harbor Light" --only Cantina --backfill 28d < secret.txt',
    ],
  ],
};

const DATES_AGAIN: readonly Flag[] = [
  ...DATES,
  {
    name: 'restaurant',
    value: 'NAME',
    many: true,
    kind: 'restaurant',
    help: 'only of this one: a name, its beginning, or a GUID; may be repeated',
  },
  JSON_FLAG,
  ...CONNECTION,
];

const HOST_KEY: Flag = {
  name: 'host-key',
  value: 'SHA256:…',
  help: 'fingerprint of the host key, once it is compared',
};

const CONNECT_EXPORTS: Command = {
  name: 'connect exports',
  summary: 'connect the SFTP server of nightly exports, so that they are imported from it (preview)',
  args: [],
  flags: [
    { name: 'new-key', value: 'FILE', kind: 'file', help: 'make a key pair: its id to FILE, the public key is shown' },
    { name: 'host', value: 'HOST', help: 'host name of the server' },
    { name: 'port', value: 'PORT', help: 'its port (22)' },
    { name: 'user', value: 'USER', help: 'user name there' },
    HOST_KEY,
    {
      name: 'folder',
      value: 'FOLDER=NAME',
      many: true,
      help: 'restaurant whose dates the folder has: its name, the beginning of it, or a GUID; may be repeated',
    },
    { name: 'from', value: 'DATE', help: 'first date that is imported' },
    { name: 'name', value: 'NAME', help: 'a name for people (Exports)' },
    { name: 'dry-run', help: 'show the folders and the host key, store nothing' },
    JSON_FLAG,
    PROFILE,
  ],
  notes: [
    SERVICE,
    'The id of the key pair comes on standard input, or in DAYPART_CONNECT_SECRET or the file that DAYPART_CONNECT_SECRET_FILE names; on a terminal a pair is made without one.',
    'The restaurants must exist: daypart restaurants add.',
    ADMIN,
    PREVIEW,
    EXIT_NOTE,
  ],
  examples: [
    ['Asks for everything', 'connect exports'],
    ['A key pair, whose public half is entered at the point of sale', 'connect exports --new-key exports.key'],
    ['What is there', 'connect exports --host sftp.example.com --user bistro --dry-run < exports.key'],
    [
      'One restaurant',
      'connect exports --host sftp.example.com --user bistro --host-key SHA256:… --folder "185129=Corner Bistro" < exports.key',
    ],
  ],
};

const ID = ['ID'];

const ofConnections = (name: string, summary: string, more: Pick<Command, 'examples'> & Partial<Command>): Command => ({
  name,
  summary,
  args: ID,
  flags: [JSON_FLAG, ...CONNECTION],
  notes: [ADMIN, EXIT_NOTE],
  ...more,
});

export const CONNECTION_COMMANDS: readonly Command[] = [
  CONNECT_TOAST,
  CONNECT_EXPORTS,
  ofConnections('connections', 'list the points of sale that are read, and how current they are', {
    args: [],
    flags: [LIST_FORMAT, JSON_FLAG, ...CONNECTION],
    notes: ['These credentials need the scope ingest:write or access:admin.', EXIT_NOTE],
    examples: [['In a script', 'connections --json']],
  }),
  ofConnections('connections show', 'show a connection: its restaurants, how far they are read, what could not be', {
    flags: [{ name: 'watch', help: 'follow it until every restaurant is current' }, JSON_FLAG, ...CONNECTION],
    notes: [
      'ID is that of the list, the beginning of it, or the name of the connection.',
      'These credentials need the scope ingest:write or access:admin.',
      EXIT_NOTE,
    ],
    examples: [
      ['By its name', 'connections show Till'],
      ['While the past is read', 'connections show Till --watch'],
    ],
  }),
  ofConnections('connections read', 'read dates of a connection again', {
    flags: DATES_AGAIN,
    examples: [
      ['A month of one restaurant', 'connections read Till --from 2026-02-01 --to 2026-02-28 --restaurant Cantina'],
    ],
  }),
  ofConnections('connections compare', 'read dates again, and show the orders that had been stored otherwise', {
    flags: DATES_AGAIN,
    notes: ['Waits until they are read, at most 31 dates. They are stored as they are now.', ADMIN, EXIT_NOTE],
    examples: [['A week', 'connections compare Till --last-week']],
  }),
  ofConnections('connections pause', 'read nothing until the connection is resumed', {
    examples: [['While the point of sale is moved', 'connections pause Till']],
  }),
  ofConnections('connections resume', 'resume a connection from where it was paused', {
    examples: [['After it was paused, or the service was restored', 'connections resume Till']],
  }),
  ofConnections('connections credentials', 'replace the credentials of a connection', {
    flags: [
      CLIENT_ID,
      HOST_KEY,
      { name: 'user', value: 'USER', help: 'of exports: another user name' },
      JSON_FLAG,
      PROFILE,
    ],
    notes: [
      'They are tried first; if they are refused, the former ones stay.',
      'Of exports only what changes is given: --host-key, --user, or another key pair in DAYPART_CONNECT_SECRET.',
      SERVICE,
      SECRET,
      ADMIN,
      EXIT_NOTE,
    ],
    examples: [
      ['A new secret', 'connections credentials Till --client-id ID < secret.txt'],
      ['Another host key of an SFTP server', 'connections credentials Exports --host-key SHA256:…'],
    ],
  }),
  ofConnections('connections remove', 'remove a connection and its credentials; the data stays', {
    flags: CONNECTION,
    examples: [['Nothing is read after it', 'connections remove Till']],
  }),
];
