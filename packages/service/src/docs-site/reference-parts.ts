/** The tables and examples of an operation in the reference. */
import type { ShownContent, ShownOperation, ShownParameter } from './document.ts';
import { propertiesOf, typeOf } from './example.ts';
import { type Html, html, prose } from './html.ts';

export const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType);

export const isForm = ({ mediaType }: ShownContent): boolean => mediaType === 'application/x-www-form-urlencoded';
export const isMultipart = ({ mediaType }: ShownContent): boolean => mediaType === 'multipart/form-data';

/** Of the contents that a body may have the one that examples send: JSON, or else the first. */
export const sentContent = ({ body }: ShownOperation): ShownContent | undefined =>
  body?.contents.find(({ mediaType }) => isJson(mediaType)) ?? body?.contents[0];

/** An example as it is sent: formatted JSON, or the text itself. */
export const exampleText = ({ mediaType, example }: ShownContent): string =>
  isJson(mediaType) || typeof example !== 'string' ? JSON.stringify(example, null, 2) : example;

/** Focusable, because a keyboard must be able to scroll what is wider than the page. */
export const scrolled = (label: string, inner: Html): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${inner}</div>`;

/** Undefined without parameters. */
export function parameterTable(title: string, parameters: ShownParameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({ name, required, schema, description, ...parameter }) =>
      html`<tr><td><code>${name}</code>${required ? html` <span class="required">required</span>` : undefined}</td><td>${parameter.in}</td><td>${typeOf(schema)}</td><td>${prose(description)}</td></tr>`,
  );
  const head = html`<thead><tr><th>Name</th><th>In</th><th>Type</th><th>What it is</th></tr></thead>`;
  return html`<h3>${title}</h3>${scrolled(title, html`<table>${head}<tbody>${rows}</tbody></table>`)}`;
}

/** The fields of an object, folded; undefined if it has none. */
export function fields(content: ShownContent, label: string): Html | undefined {
  const properties = propertiesOf(content.schema);
  if (properties.length === 0) return undefined;
  const rows = properties.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code>${required ? undefined : html` <span class="muted">optional</span>`}</td><td>${type}</td><td>${prose(description)}</td></tr>`,
  );
  const head = html`<thead><tr><th>Field</th><th>Type</th><th>What it is</th></tr></thead>`;
  return html`<details><summary>Fields of ${label}</summary>${scrolled('Fields', html`<table>${head}<tbody>${rows}</tbody></table>`)}</details>`;
}

/** A block of code, which a keyboard can scroll. */
export const block = (text: string, label: string): Html =>
  html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;

/** Contents that look the same are shown once, under all their names. */
export function alike<Shown extends { name: string; content: ShownContent }>(
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

/** What a call sends; undefined without a body. */
export function bodyPart({ body, summary }: ShownOperation): Html | undefined {
  if (!body) return undefined;
  const types = alike(body.contents.map((content) => ({ name: content.mediaType, content })));
  const contents = types.map(({ names, content }) => {
    const shown = content.example === undefined ? undefined : block(exampleText(content), `Example body: ${summary}`);
    return html`<p class="media">${names.map((name) => html`<code>${name}</code> `)}</p>${shown}${fields(content, 'the body')}`;
  });
  return html`<h3>Body${body.required ? undefined : html` <span class="muted">optional</span>`}</h3>${body.description ? html`<p>${prose(body.description)}</p>` : undefined}${contents}`;
}
