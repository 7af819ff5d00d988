/** /docs: what the service is, a first report, and links to the guides. */

import { DAY_MS } from '../contract/time.ts';
import { reportNouns } from '../families/index.ts';
import { renderDiagram } from './diagram.ts';
import { GUIDE_GROUPS } from './guide-list.ts';
import { type Html, html } from './html.ts';

/** West of UTC a day ends up to 12 hours later. */
const LAG_MS = DAY_MS / 2;

/** The last business date (YYYYMMDD) that is over in every time zone. `now` in milliseconds since 1970 UTC. */
export const yesterdayOf = (now: number): string =>
  new Date(now - LAG_MS - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');

/** Five lines of shell that retrieve a report from this service. */
function firstReport(origin: string, date: string): string {
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  return [
    'CLIENT_ID=…; CLIENT_SECRET=…',
    `TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials ${origin}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${bearer} ${origin}/v1/restaurants-information; echo`,
    `GUID=$(curl -s -X POST ${bearer} -H "Content-Type: application/json" -d '{"startBusinessDate":"${date}"}' ${origin}/v1/metrics/day | tr -d '"')`,
    `curl -s ${bearer} "${origin}/v1/metrics/$GUID?fetchRestaurantNames=true"; echo`,
  ].join('\n');
}

/** `origin` as the caller sees it; `now` in milliseconds since 1970 UTC. */
export function renderStart(origin: string, now: number): Html {
  const guides = GUIDE_GROUPS.map(
    ({ title: group, guides: all }) => html`<h3>${group}</h3>
<ul>${all.map(({ name, title, about }) => html`<li><a href="/docs/${name}">${title}</a>: ${about}</li>`)}</ul>
`,
  );
  return html`<h1>Daypart</h1>
<p class="lead">A reporting service for restaurants. Load what the point of sale knows; ask for a report and get its <code>reportRequestGuid</code>; retrieve the records by it: ${reportNouns()}.</p>
${renderDiagram()}
<h2 id="first-report">A first report</h2>
<p>Five lines, for this service and with your own credentials: the token, the restaurants you see, a report request, its records.</p>
<pre class="wrap" tabindex="0" aria-label="A first report with curl"><code>${firstReport(origin, yesterdayOf(now))}</code></pre>
<p>While the data is gathered, the service holds the answer for some seconds, then answers 202 with <code>Retry-After</code>: send the request again. A GUID returns the same records every time.</p>
<p>Without a shell: <a href="/docs/reference">the reference</a> has a form for every operation that calls this service from your browser.</p>
<h2 id="contents">What is here</h2>
<h3>Reference</h3>
<ul>
<li><a href="/docs/reference">Reference</a>: every operation, its parameters, bodies and answers, and a form to try it</li>
<li><a href="/docs/problems">Problems</a>: what every problem code means, and what to do</li>
<li><a href="/openapi.json">openapi.json</a>: the same operations for programs (OpenAPI 3.1)</li>
<li><a href="/docs/collection.json" download="daypart.postman_collection.json">A collection</a> of the same for Postman, Bruno and Insomnia</li>
</ul>
${guides}`;
}
