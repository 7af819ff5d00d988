/** Addresses of stores on servers, as in their settings. */

/** ClickHouse. */
interface ServerAddress {
  /** The URL of each host, in the order in which they are tried. */
  url: readonly string[];
  database: string;
  /** The cluster whose servers each have all rows; undefined if all hosts lead to one server. */
  cluster: string | undefined;
}

const ADDRESS = /^clickhouse:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const OF_SERVER = ['cluster', 'secure'];
const PORTS = { http: '8123', https: '8443' };

/**
 * Parses `clickhouse://user:password@host1:8123,host2:8123/database?cluster=main&secure=true`. Throws Error with a
 * phrase that says what is wrong, without the address, since it may contain a password.
 */
export function serverAddress(text: string): ServerAddress {
  const [whole, user, hosts = '', database = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (whole === undefined) throw new Error('must be an address such as clickhouse://user@host:8123/database');
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) {
    if (!OF_SERVER.includes(name)) throw new Error(`has an unknown parameter ${name}`);
    if (name === 'secure' && !['true', 'false'].includes(value))
      throw new Error('must have secure=true or secure=false');
    if (name === 'cluster' && !/^[\w-]+$/.test(value)) throw new Error(`must have the name of a cluster, not ${value}`);
  }
  const protocol = parameters.get('secure') === 'true' ? 'https' : 'http';
  const urlOf = (host: string): string => {
    const named = `${protocol}://${user === undefined ? '' : `${user}@`}${host}`;
    if (host === '' || !URL.canParse(named)) throw new Error('must have hosts such as host1:8123,host2:8123');
    const url = new URL(named);
    if (!/:\d+$/.test(host)) url.port = PORTS[protocol];
    return url.href;
  };
  const name = database === '' ? 'default' : database;
  if (!/^\w+$/.test(name)) throw new Error(`must have the name of a database, not ${name}`);
  return { url: hosts.split(',').map(urlOf), database: name, cluster: parameters.get('cluster') ?? undefined };
}

/** A bucket: `s3://bucket/prefix?region=eu-central-1&endpoint=https%3A%2F%2Fs3.example.com&pathStyle=true`. */
export interface BucketAddress {
  bucket: string;
  /** Prefix of every key: empty, or it ends with `/`. */
  prefix: string;
  /** If absent, the SDK finds it (AWS_REGION, its files). */
  region: string | undefined;
  /** For a store other than AWS. */
  endpoint: string | undefined;
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`: the default if an endpoint is given. */
  pathStyle: boolean;
}

const OF_BUCKET = ['region', 'endpoint', 'pathStyle'];

/** Parses the address. Throws Error with a phrase that says what is wrong, without the text itself. */
export function readBucketAddress(text: string): BucketAddress {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || url.hostname === '') throw new Error('must be s3://bucket/prefix?region=REGION');
  if (url.username !== '' || url.password !== '')
    throw new Error('must have no credentials: the AWS SDK finds those (AWS_ACCESS_KEY_ID, a role, its files)');
  for (const name of url.searchParams.keys()) {
    if (!OF_BUCKET.includes(name))
      throw new Error(`has an unknown parameter ${name}; known are ${OF_BUCKET.join(', ')}`);
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new Error('must have an endpoint that is an http or https URL, URL-encoded');
  const pathStyle = url.searchParams.get('pathStyle') ?? String(endpoint !== undefined);
  if (!['true', 'false'].includes(pathStyle)) throw new Error('must have pathStyle=true or pathStyle=false');
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    region: url.searchParams.get('region') ?? undefined,
    endpoint,
    pathStyle: pathStyle === 'true',
  };
}
