/** The guides: which files of docs/ the service shows as pages, in the groups of the table of README.md. */

interface ListedGuide {
  /** The file in docs/ without `.md`, and the page below /docs. */
  name: string;
  /** In the navigation. */
  title: string;
  /** What /docs says of it, and search engines. */
  about: string;
}

interface GuideGroup {
  title: string;
  guides: readonly ListedGuide[];
}

const guide = (name: string, title: string, about: string): ListedGuide => ({ name, title, about });

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide('quickstart', 'Quickstart', 'token, create, poll, retrieve'),
      guide('first-hour', 'Your first hour', 'for a client of the live system: what to change, and how to rehearse'),
      guide('api', 'Operations of the API', 'all operations in one table'),
      guide('metrics', 'What the numbers mean', 'the definition of every figure, with an example by hand'),
      guide('glossary', 'Glossary', 'the words of the field, and those of this service'),
      guide('errors', 'Errors and causes', 'every problem code, and which cause leads to which status'),
    ],
  },
  {
    title: 'Guides',
    guides: [
      guide('polling', 'Polling and events', 'waiting for a report, and its events'),
      guide('downloads', 'Downloads', 'formats, compression, caching, resuming and verifying'),
      guide(
        'spreadsheets',
        'Spreadsheets and notebooks',
        'Excel, LibreOffice, Google Sheets, Power BI, DuckDB, pandas',
      ),
      guide('webhooks', 'Webhooks', 'a call to your server when a report completes'),
      guide('pagination', 'Lists and pagination', 'lists of reports, and what changed between two reports'),
      guide('idempotency', 'Idempotency', 'repeating a call safely'),
    ],
  },
  {
    title: 'Data',
    guides: [
      guide('loading', 'Loading', 'restaurants, reference data, orders and time entries'),
      guide('import', 'Importing exports', 'the nightly export folders of a point of sale'),
      guide('connections', 'Connections (preview)', 'restaurants that are read from their point of sale by its API'),
      guide(
        'connect',
        'Rehearsing on a stand-in',
        'a stand-in for the live point of sale, for clients that read its orders',
      ),
      guide(
        'sources',
        'Sources (preview)',
        'code that reads another kind of point of sale, and the suite that tests it',
      ),
    ],
  },
  {
    title: 'Tools',
    guides: [
      guide('console', 'The console', 'the page of an owner: what it shows, by twelve questions'),
      guide('terminal', 'Reports at a terminal', 'tables, files and exit codes for people and scripts'),
      guide('cli', 'The command', 'every command, and its flags'),
    ],
  },
  {
    title: 'Running it',
    guides: [
      guide('install', 'Installing', 'npm, a container, systemd, and a proxy in front'),
      guide('upgrade', 'Upgrading', 'from one version to the next, and back'),
      guide('operations', 'Operations', 'data folder, backups, health, faults'),
      guide('scaling', 'Several nodes', 'PostgreSQL, ClickHouse and S3 under any number of nodes'),
      guide('config', 'Settings', 'every setting'),
      guide('access', 'Access and limits', 'clients, tokens, keys, external issuers'),
      guide('sessions', 'Signing in to the console', 'how a person signs in, and what protects it'),
      guide('reliability', 'Reliability', 'what is kept when a process, a disk or a network fails'),
      guide('performance', 'Performance', 'how fast it is, and how that was measured'),
    ],
  },
  {
    title: 'Design',
    guides: [
      guide('stability', 'Stability and versions', 'what will not change, and how long deprecated features work'),
      guide('contract', 'The wire contract', 'paths, statuses and fields, as clients may rely on them'),
    ],
  },
];

export const GUIDES: readonly ListedGuide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);
