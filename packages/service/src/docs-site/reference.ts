/** /docs/reference: every operation of the OpenAPI document, readable without a script, on one page a group. */
import { SCOPE_INGEST } from '../contract/words.ts';
import type { ShownOperation } from './document.ts';
import { callExamples } from './examples-of-calls.ts';
import { asHtml, escapeText, type Html, html, prose } from './html.ts';
import type { Heading } from './layout.ts';
import { answersPart, sharedCodes, sharedPart } from './reference-answers.ts';
import { type ReferencePage, referencePath } from './reference-pages.ts';
import { block, bodyPart, exampleText, parameterTable } from './reference-parts.ts';

/** In place of the origin that was called, in pages that are kept for all callers. */
export const ANY_ORIGIN = 'http://origin.invalid';

/** The place of the form of an operation, with the data from which the script makes it. */
function tryForm(operation: ShownOperation): Html {
  const { method, path, parameters, body, scopes, answers } = operation;
  const ok = answers.find(({ status }) => status === '200');
  const data = JSON.stringify({
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
  // Between single quotes: the quotes of JSON would be six bytes each.
  return asHtml(`<div class="try" data-operation='${data.replace(/[&<>']/g, escapeText)}'></div>`);
}

/** The call in each language: all of them folded but the first, which a script makes tabs. */
const callPart = (operation: ShownOperation): Html =>
  html`<div class="calls">${callExamples(operation, ANY_ORIGIN).map(
    ({ title, text }, index) =>
      html`<details${index === 0 ? asHtml(' open') : undefined}><summary>${title}</summary>${block(text, `${title}: ${operation.summary}`)}</details>`,
  )}</div>`;

const requiredTogether = (scopes: string): Html =>
  html`${scopes.split(' ').map((scope, index) => html`${index > 0 ? ' and ' : ''}<code>${scope}</code>`)}`;

function section(operation: ShownOperation, shared: ReadonlySet<string>): Html {
  const { id, method, path, summary, description, scopes, deprecated, parameters } = operation;
  const needs = scopes
    ? html`Token with ${scopes.map((all, index) => html`${index > 0 ? ' or ' : ''}${requiredTogether(all)}`)}`
    : html`No token`;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a>${deprecated ? html` <span class="old">deprecated</span>` : undefined}</h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code></p>
<p class="muted">${needs}</p>
${description ? html`<p>${prose(description)}</p>` : undefined}
${tryForm(operation)}
${callPart(operation)}
${parameterTable('Parameters', parameters)}
${bodyPart(operation)}
${answersPart(operation, shared)}
</section>`;
}

/** The operations of a page. */
export function renderOperations({ operations }: ReferencePage): { body: Html; headings: Heading[] } {
  const shared = sharedCodes(operations);
  const headings = operations.map(({ id, summary }) => ({ id, text: summary, level: 2 }));
  const last = shared.size > 0 ? [{ id: 'any-call', text: 'What any call may be answered', level: 2 }] : [];
  return {
    headings: [...headings, ...last],
    body: html`${operations.map((operation) => section(operation, shared))}
${sharedPart(operations, shared)}`,
  };
}

/**
 * Every operation with its page. The rows have the anchors that the operations had on the one page of earlier versions.
 */
export function renderIndex(pages: readonly ReferencePage[]): Html {
  const seen = new Set<string>();
  const anchors = ({ operations }: ReferencePage): Html[] => {
    const tags = [...new Set(operations.map(({ tag }) => tag))].filter((tag) => !seen.has(tag));
    for (const tag of tags) seen.add(tag);
    return tags.map((tag) => html`<span id="tag-${tag.toLowerCase()}"></span>`);
  };
  return html`${pages.map((page) => {
    const rows = page.operations.map(
      ({ id, method, path, summary }) =>
        html`<tr id="${id}"><td><span class="method ${method.toLowerCase()}">${method}</span></td><td><a href="${referencePath(page.name)}#${id}">${summary}</a><br><code class="path">${path}</code></td></tr>
`,
    );
    return html`<h2 id="${page.name}">${anchors(page)}<a class="anchor" href="${referencePath(page.name)}">${page.title}</a></h2>
<table class="operations"><thead><tr><th>Method</th><th>Operation</th></tr></thead><tbody>${rows}</tbody></table>
`;
  })}`;
}
