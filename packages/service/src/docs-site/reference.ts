/** /docs/reference: every operation of the OpenAPI document, readable without a script. */
import { SCOPE_INGEST } from '../contract/words.ts';
import { TAGS } from '../http/operation.ts';
import type { ShownAnswer, ShownContent, ShownOperation, ShownParameter } from './document.ts';
import { propertiesOf, typeOf } from './example.ts';
import { type Html, html, prose } from './html.ts';
import type { Heading } from './layout.ts';

const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType);

/** An example as it is sent: formatted JSON, or the text itself. */
const exampleText = ({ mediaType, example }: ShownContent): string =>
  isJson(mediaType) || typeof example !== 'string' ? JSON.stringify(example, null, 2) : example;

const scrolled = (label: string, inner: Html): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${inner}</div>`;

function parameterTable(title: string, parameters: ShownParameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({ name, required, schema, description, ...parameter }) =>
      html`<tr><td><code>${name}</code>${required ? html` <span class="required">required</span>` : undefined}</td><td>${parameter.in}</td><td>${typeOf(schema)}</td><td>${prose(description)}</td></tr>`,
  );
  const head = html`<thead><tr><th>Name</th><th>In</th><th>Type</th><th>What it is</th></tr></thead>`;
  return html`<h4>${title}</h4>${scrolled(title, html`<table>${head}<tbody>${rows}</tbody></table>`)}`;
}

function fields(content: ShownContent, label: string): Html | undefined {
  const properties = propertiesOf(content.schema);
  if (properties.length === 0) return undefined;
  const rows = properties.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code>${required ? undefined : html` <span class="muted">optional</span>`}</td><td>${type}</td><td>${prose(description)}</td></tr>`,
  );
  const head = html`<thead><tr><th>Field</th><th>Type</th><th>What it is</th></tr></thead>`;
  return html`<details><summary>Fields of ${label}</summary>${scrolled('Fields', html`<table>${head}<tbody>${rows}</tbody></table>`)}</details>`;
}

const block = (text: string, label: string): Html =>
  html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;

/** Contents that look the same are shown once, under all their names. */
function alike<Shown extends { name: string; content: ShownContent }>(
  all: Shown[],
): { names: string[]; content: ShownContent }[] {
  const found = new Map<string, { names: string[]; content: ShownContent }>();
  for (const { name, content } of all) {
    const key = JSON.stringify([content.schema, content.example]);
    const known = found.get(key) ?? { names: [], content };
    known.names.push(name);
    found.set(key, known);
  }
  return [...found.values()];
}

function bodyPart({ body, summary }: ShownOperation): Html | undefined {
  if (!body) return undefined;
  const types = alike(body.contents.map((content) => ({ name: content.mediaType, content })));
  const contents = types.map(({ names, content }) => {
    const shown = content.example === undefined ? undefined : block(exampleText(content), `Example body: ${summary}`);
    return html`<p class="media">${names.map((name) => html`<code>${name}</code> `)}</p>${shown}${fields(content, 'the body')}`;
  });
  return html`<h4>Body${body.required ? undefined : html` <span class="muted">optional</span>`}</h4>${body.description ? html`<p>${prose(body.description)}</p>` : undefined}${contents}`;
}

const codeLink = (code: string): Html =>
  html`<a class="problem" href="/docs/problems/${code}"><code>${code}</code></a> `;

/** `everywhere`: headers that every answer has, which are listed once instead of in each row. */
function answerRow({ status, description, headers, contents, codes }: ShownAnswer, everywhere: string[]): Html {
  const types =
    Number(status) < 400 ? contents.map(({ mediaType }) => html`<code class="type">${mediaType}</code> `) : [];
  const own = headers.filter(({ name }) => !everywhere.includes(name));
  const names = own.map(({ name }) => html`<code>${name}</code> `);
  const answered = codes.length > 0 ? html`<span class="codes">${codes.map(codeLink)}</span>` : html`${types}`;
  const carried = names.length > 0 ? html`<br><span class="muted">Headers: </span>${names}` : undefined;
  return html`<tr><td class="status s${status[0]}">${status}</td><td>${prose(description)}${carried}</td><td>${answered}</td></tr>`;
}

function answersPart({ answers, summary }: ShownOperation): Html {
  const head = html`<thead><tr><th>Status</th><th>When</th><th>Type, or problem codes</th></tr></thead>`;
  const [first, ...others] = answers.map(({ headers }) => headers.map(({ name }) => name));
  const everywhere = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  const rows = answers.map((answer) => answerRow(answer, everywhere));
  const table = html`<table>${head}<tbody>${rows}</tbody></table>`;
  const answered =
    everywhere.length > 0
      ? html`<p class="muted">Each has the headers ${everywhere.map((name) => html`<code>${name}</code> `)}</p>`
      : undefined;
  const bodies = answers
    .filter(({ status }) => Number(status) < 300)
    .flatMap(({ status, contents }) =>
      contents.filter(({ mediaType }) => isJson(mediaType)).map((content) => ({ name: status, content })),
    );
  const shown = alike(bodies).map(({ names, content: one }) => {
    const status = names.join(' and ');
    const label = `the ${status}`;
    const example = html`<details><summary>Example of ${label}</summary>${block(exampleText(one), `Example answer ${status}: ${summary}`)}</details>`;
    return html`${example}${fields(one, label)}`;
  });
  return html`<h4>Answers</h4>${scrolled('Answers', table)}${answered}${shown}`;
}

/** The data from which the script makes a form for the operation, as JSON. */
function tryData(operation: ShownOperation): string {
  const { method, path, parameters, body, scopes, answers } = operation;
  const ok = answers.find(({ status }) => status === '200');
  return JSON.stringify({
    method,
    path,
    token: scopes !== undefined,
    // Whether it changes data that others see. Creating a report or a token does not.
    changes: ['PUT', 'PATCH', 'DELETE'].includes(method) || (method !== 'GET' && (scopes ?? []).includes(SCOPE_INGEST)),
    parameters: parameters.map(({ in: place, name, required, schema, example }) => ({
      in: place,
      name,
      required,
      type: Array.isArray(schema.type) ? schema.type[0] : schema.type,
      values: Array.isArray(schema.enum) ? schema.enum : undefined,
      example,
    })),
    bodies: body?.contents.map((content) => ({ mediaType: content.mediaType, text: exampleText(content) })) ?? [],
    accepts: ok?.contents.map(({ mediaType }) => mediaType) ?? [],
  });
}

const requiredTogether = (scopes: string): Html =>
  html`${scopes.split(' ').map((scope, index) => html`${index > 0 ? ' and ' : ''}<code>${scope}</code>`)}`;

function section(operation: ShownOperation): Html {
  const { id, method, path, summary, description, scopes, deprecated, parameters } = operation;
  const needs = scopes
    ? html`Token with ${scopes.map((all, index) => html`${index > 0 ? ' or ' : ''}${requiredTogether(all)}`)}`
    : html`No token`;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a>${deprecated ? html` <span class="old">deprecated</span>` : undefined}</h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code></p>
<p class="muted">${needs}</p>
${description ? html`<p>${prose(description)}</p>` : undefined}
<div class="try" data-operation="${tryData(operation)}" data-title="${summary}"></div>
${parameterTable('Parameters', parameters)}
${bodyPart(operation)}
${answersPart(operation)}
</section>`;
}

export interface ReferencePage {
  body: Html;
  headings: Heading[];
}

/** All operations, by tag in the order of TAGS. */
export function renderReference(operations: ShownOperation[]): ReferencePage {
  const known: readonly string[] = TAGS;
  const tags = [...new Set([...known, ...operations.map(({ tag }) => tag)])];
  const headings: Heading[] = [];
  const parts = tags.flatMap((tag) => {
    const own = operations.filter((operation) => operation.tag === tag);
    if (own.length === 0) return [];
    const id = `tag-${tag.toLowerCase()}`;
    headings.push({ id, text: tag, level: 2 });
    for (const operation of own) headings.push({ id: operation.id, text: operation.summary, level: 3 });
    return [html`<h2 id="${id}">${tag}</h2>${own.map(section)}`];
  });
  return { headings, body: html`${parts}` };
}
