/** autocannon in a process of its own: `node bench/cannon.ts '{"url":…}'` prints what `shoot` of children.ts answers. */
import autocannon from 'autocannon';

const { url, headers, connections, seconds, rate } = JSON.parse(process.argv[2] ?? '{}');
const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  ...(rate === undefined ? {} : { overallRate: rate }),
});
if (result.errors > 0 || result.non2xx > 0) {
  throw new Error(`${result.errors} errors and ${result.non2xx} answers other than 2xx from ${url}`);
}
const { requests, latency, duration } = result;
console.log(JSON.stringify({ requestsPerSecond: requests.total / duration, p99: latency.p99 }));
