/**
 * The commands that run and maintain a service, and `import`. This file declares them; each has a file that is loaded
 * when it runs.
 */
import { CONNECTION, type Command, type CommandSettings, type Flag } from '@daypart/cli';
import { CONNECT_TEST } from './connect-test-flags.ts';
import { FORMER_FLAGS, SETTING_FLAGS } from './setting-flags.ts';

const JSON_FLAG: Flag = { name: 'json', help: 'the answer as JSON' };
const EXITS = 'Exit codes: 0 done, 1 failed, 2 misused.';

const AS_VARIABLES = 'or as environment variables (--token-seconds is DAYPART_TOKEN_SECONDS)';

const TAKEN: readonly Flag[] = [...SETTING_FLAGS, ...FORMER_FLAGS];

/** Takes all settings; the help shows only the data folder. */
const SETTINGS_TAKEN: CommandSettings = {
  flags: TAKEN,
  shown: SETTING_FLAGS.filter(({ setting }) => setting === 'data'),
  note: `Every setting of daypart serve is accepted, as a flag ${AS_VARIABLES}.`,
};
/** Takes all settings; the help shows each of them. */
const SETTINGS_LISTED: CommandSettings = {
  flags: TAKEN,
  shown: SETTING_FLAGS,
  heading: `Settings, as flags ${AS_VARIABLES}, with defaults`,
};

const ofService = (name: string, summary: string, more: Partial<Command> & Pick<Command, 'examples'>): Command => ({
  name,
  summary,
  args: [],
  flags: [],
  settings: SETTINGS_TAKEN,
  notes: [EXITS],
  ...more,
});

const OVER_HTTP =
  'With --url or --profile it asks that service, whose credentials need the scope access:admin; otherwise it uses the data folder.';

const QUOTA_FLAG: Flag = {
  name: 'quota',
  value: 'LIMITS',
  help: 'rate limits of its own, such as "check=50/min,600/day retrieval=off"; none for those of the group or the service',
};

const GROUPS: readonly Command[] = [
  ofService('groups list', 'list the management groups, their names and rate limits', {
    flags: [JSON_FLAG, ...CONNECTION],
    notes: [OVER_HTTP.replace('access:admin', 'groups:admin'), EXITS],
    examples: [['Those of a data folder', 'groups list --data ./data']],
  }),
  ofService('groups set', 'create a management group, or set its name or its rate limits', {
    args: ['GROUP'],
    flags: [{ name: 'name', value: 'NAME', help: 'a name for people' }, QUOTA_FLAG, JSON_FLAG, ...CONNECTION],
    notes: [OVER_HTTP.replace('access:admin', 'groups:admin'), EXITS],
    examples: [
      ['A customer with a name', 'groups set corner-bistro --name "Corner Bistro Ltd"'],
      ['With a quota', 'groups set corner-bistro --quota "check=5/min,60/day retrieval=5/s"'],
    ],
  }),
  ofService('groups remove', 'remove a management group with all of its data', {
    args: ['GROUP'],
    flags: [{ name: 'confirm', value: 'NAME', help: 'the name of the group; required' }, JSON_FLAG],
    notes: ['Export it before. Its clients are refused immediately. Earlier backups still have the data.', EXITS],
    examples: [['In a data folder', 'groups remove corner-bistro --confirm "Corner Bistro Ltd" --data ./data']],
  }),
];

const EXPORT_GROUP: Command = ofService('export-group', 'export a management group into a new folder', {
  args: ['GROUP'],
  flags: [{ name: 'output', value: 'FOLDER', kind: 'file', help: 'folder that it makes; required' }, JSON_FLAG],
  notes: [
    'Facts as Parquet; restaurants, reference data, menus, settings, clients without secrets, connections without credentials and the audit log as JSON.',
    EXITS,
  ],
  examples: [['Before a customer is removed', 'export-group corner-bistro --output ./corner-bistro --data ./data']],
});

const CLIENTS: readonly Command[] = [
  ofService('clients create', 'create credentials', {
    flags: [
      {
        name: 'group',
        value: 'GROUP',
        help: 'management group whose restaurants they see; required, over HTTP your own without it',
      },
      {
        name: 'scopes',
        value: 'SCOPES',
        help: 'scopes, separated by commas: enterprise-metrics:read, ingest:write (both by default), guest-payments:read, access:admin, groups:admin',
      },
      {
        name: 'dialect',
        value: 'DIALECT',
        values: ['reference', 'live'],
        help: 'dialect of the records: reference (default), or live, that of the live system',
      },
      { name: 'name', value: 'NAME', help: 'a name for people' },
      { name: 'init', help: 'create the data folder if it does not exist' },
      JSON_FLAG,
      ...CONNECTION,
    ],
    notes: [OVER_HTTP, EXITS],
    examples: [
      ['For reports and loading', 'clients create --group corner-bistro'],
      ['For reports alone', 'clients create --group corner-bistro --scopes enterprise-metrics:read --name "BI tool"'],
    ],
  }),
  ofService('clients list', 'list the clients, without their secrets', {
    flags: [JSON_FLAG, ...CONNECTION],
    notes: [OVER_HTTP, EXITS],
    examples: [['Those of a data folder', 'clients list --data ./data']],
  }),
  ofService('clients rotate', 'create a new secret for a client; the previous one stays valid for 24 hours', {
    args: ['ID'],
    flags: [JSON_FLAG, ...CONNECTION],
    notes: [OVER_HTTP, EXITS],
    examples: [
      ['In a data folder', 'clients rotate client-3f1c2a9b8d7e'],
      ['At a service', 'clients rotate client-3f1c2a9b8d7e --profile work'],
    ],
  }),
  ofService('clients revoke', 'revoke the credentials of a client', {
    args: ['ID'],
    flags: CONNECTION,
    notes: [OVER_HTTP, EXITS],
    examples: [['Its tokens are refused too', 'clients revoke 3f1c2a']],
  }),
  ofService('clients set', 'set the share that a client has of the rate limits of its management group', {
    args: ['ID'],
    flags: [QUOTA_FLAG, ...CONNECTION],
    notes: [OVER_HTTP, EXITS],
    examples: [['A tenth of the default', 'clients set client-3f1c2a9b8d7e --quota "check=5/min,60/day"']],
  }),
  ofService('clients webhook', 'show or set the webhook of a client', {
    args: ['ID'],
    flags: [
      { name: 'url', value: 'URL', help: 'call this address from now on' },
      { name: 'rotate-secret', help: 'with --url: a new secret for the signatures' },
      { name: 'off', help: 'remove the webhook' },
    ],
    examples: [
      ['Show it, and the last deliveries', 'clients webhook 3f1c2a'],
      ['Set it', 'clients webhook 3f1c2a --url https://example.com/daypart'],
    ],
  }),
];

const IMPORT: Command = ofService('import', 'load export folders (YYYYMMDD)', {
  args: ['FOLDER'],
  flags: [
    {
      name: 'restaurant',
      value: 'NAME',
      kind: 'restaurant',
      help: 'restaurant of these orders: a name, its beginning, or a GUID; required',
    },
    { name: 'dry-run', help: 'read and check everything, load nothing' },
    { name: 'upload', deprecated: true, help: 'no effect: a service always reads the files itself' },
    { name: 'columns', value: 'FILE', kind: 'file', help: 'your column names, as JSON' },
    { name: 'force-date', help: 'load a day although its files are of other dates' },
    { name: 'force-location', help: 'load a day although its rows are of several locations' },
    { name: 'json', help: 'the report as JSON, with every row' },
    ...CONNECTION,
  ],
  notes: [
    'It loads into the service of --url or --profile (or DAYPART_URL, DAYPART_PROFILE), or into --data, a folder that no service is running on. Without any of them: into the data folder if it exists, else into the service of the default profile.',
    'A service reads the files itself: they are sent to it, at most 32 MiB a date, and daypart imports lists the result of each date.',
    'Exit codes: 0 everything was read and loaded, 1 something was not or it failed, 2 misused.',
  ],
  examples: [
    ['After daypart login', 'import ./exports --restaurant "Corner Bistro"'],
    ['See what would be read', 'import ./exports --restaurant "Corner Bistro" --profile work --dry-run'],
    ['A day, into a data folder', 'import ./exports/20260310 --restaurant GUID --data ./data'],
  ],
});

export const SERVICE_COMMANDS: readonly Command[] = [
  ofService('serve', 'run the service', {
    settings: SETTINGS_LISTED,
    examples: [
      ['On this machine', 'serve --data ./data --port 8080'],
      ['Behind a proxy', 'serve --data /var/lib/daypart --public-url https://reports.example.com'],
    ],
  }),
  ofService('demo', 'run the service with sample restaurants, and print how to call it', {
    examples: [['On another port', 'demo --port 8090']],
  }),
  ...GROUPS,
  EXPORT_GROUP,
  ...CLIENTS,
  ofService('console-link', 'print a one-time link with which a person signs in to the console', {
    flags: [
      {
        name: 'name',
        value: 'NAME',
        help: 'who signs in (console): a client of this name, created if it does not exist',
      },
      { name: 'group', value: 'GROUP', help: 'their management group; required if there are several' },
      {
        name: 'scopes',
        value: 'SCOPES',
        help: 'what they may do, separated by commas: enterprise-metrics:read, ingest:write, access:admin (all three)',
      },
      JSON_FLAG,
    ],
    examples: [
      ['For the owner', 'console-link'],
      ['For somebody who only reads', 'console-link --name Ada --scopes enterprise-metrics:read'],
    ],
  }),
  ofService('keys rotate', 'sign new access tokens with a new key', {
    examples: [['While the service runs', 'keys rotate --data ./data']],
  }),
  ofService('keys list', 'list the keys that sign and verify access tokens', {
    examples: [['Those of a data folder', 'keys list --data ./data']],
  }),
  ofService('keys rotate-fingerprints', 'give the cards of a management group new fingerprints', {
    flags: [{ name: 'group', value: 'GROUP', help: 'management group whose key is replaced; required' }],
    notes: [
      'Orders loaded afterwards have fingerprints that match none of the earlier ones. The previous key is deleted; earlier backups still contain it.',
      EXITS,
    ],
    examples: [['While the service runs', 'keys rotate-fingerprints --group corner-bistro --data ./data']],
  }),
  ofService('keys rotate-secrets', 'encrypt the stored credentials of connections with a new key', {
    notes: [
      'In a data folder the new key is made; otherwise it is the first of DAYPART_SECRET_KEY, before the former ones.',
      EXITS,
    ],
    examples: [['While the service runs', 'keys rotate-secrets --data ./data']],
  }),
  IMPORT,
  CONNECT_TEST,
  ofService('migrate', 'create or upgrade the tables of stores on servers', {
    examples: [
      [
        'Before nodes of a new version start',
        'migrate --ledger postgres://daypart@db/daypart --facts clickhouse://daypart@ch:8123/daypart --results s3://daypart-reports',
      ],
    ],
  }),
  ofService('move', 'move a data folder to stores on servers', {
    flags: [
      {
        name: 'dry-run',
        help: 'read and count everything, write nothing to the servers; the folder is opened as by a start of the service',
      },
      JSON_FLAG,
    ],
    notes: [
      'No service may run on the folder. The servers are those of DAYPART_LEDGER, DAYPART_FACTS and DAYPART_RESULTS, empty and after daypart migrate.',
      EXITS,
    ],
    examples: [
      ['What would be moved', 'move --data ./data --dry-run'],
      ['Once the service has stopped', 'move --data ./data'],
    ],
  }),
  ofService('backup', 'copy the data folder, in use or not, into a new folder', {
    args: ['TO'],
    flags: [JSON_FLAG],
    examples: [['While the service runs', 'backup ./backup-2026-03-10 --data ./data']],
  }),
  ofService('restore', 'verify a backup and create a data folder from it', {
    args: ['FROM'],
    flags: [JSON_FLAG],
    examples: [['Into a new data folder', 'restore ./backup-2026-03-10 --data ./data']],
  }),
  ofService('facts verify', 'check the daily rollups against the source data', {
    flags: [JSON_FLAG],
    examples: [['While the service runs', 'facts verify --data ./data']],
  }),
  ofService('facts rebuild', 'compute the daily rollups again, then verify them', {
    flags: [JSON_FLAG],
    examples: [['While the service runs', 'facts rebuild --data ./data']],
  }),
];
