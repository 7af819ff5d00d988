/** Where a bucket is: `s3://bucket/prefix?region=eu-central-1&endpoint=https%3A%2F%2Fs3.example.com&pathStyle=true`. */

export interface BucketAddress {
  bucket: string;
  /** Before every key: empty, or it ends with `/`. */
  prefix: string;
  /** Left to the SDK (AWS_REGION, its files) where it is not given. */
  region: string | undefined;
  /** Of a store that is not AWS. */
  endpoint: string | undefined;
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`: the default where an endpoint is given. */
  pathStyle: boolean;
}

const KNOWN = ['region', 'endpoint', 'pathStyle'];

/** Reads the address. Throws Error with a phrase that says what is wrong, without the text itself. */
export function readBucketAddress(text: string): BucketAddress {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || url.hostname === '') throw new Error('must be s3://bucket/prefix?region=REGION');
  if (url.username !== '' || url.password !== '')
    throw new Error('must have no credentials: the AWS SDK finds those (AWS_ACCESS_KEY_ID, a role, its files)');
  for (const name of url.searchParams.keys()) {
    if (!KNOWN.includes(name)) throw new Error(`has an unknown parameter ${name}; known are ${KNOWN.join(', ')}`);
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
