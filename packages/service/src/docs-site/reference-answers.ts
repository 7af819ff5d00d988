/** The answers of operations: those of each, and the problems that every operation of a page may be answered. */
import { PROBLEMS } from '../contract/problems.ts';
import type { ShownAnswer, ShownOperation } from './document.ts';
import { type Html, html, prose } from './html.ts';
import { findCode } from './problem-pages.ts';
import { alike, block, exampleText, fields, isJson, scrolled } from './reference-parts.ts';

const codeLink = (code: string): Html =>
  html`<a class="problem" href="/docs/problems/${code}"><code>${code}</code></a> `;

const codesOf = ({ answers }: ShownOperation): string[] => answers.flatMap(({ codes }) => codes);

/** The problems that all of the operations have; none of a single operation. */
export function sharedCodes(operations: readonly ShownOperation[]): ReadonlySet<string> {
  const [first, ...others] = operations.map(codesOf);
  return new Set(others.length === 0 ? [] : first?.filter((code) => others.every((codes) => codes.includes(code))));
}

const titlesOf = (codes: readonly string[]): string =>
  codes
    .map(findCode)
    .flatMap((code) => (code ? [PROBLEMS[code].title] : []))
    .join('; ');

/** `everywhere`: headers that every answer has, which are listed once instead of in each row. */
function answerRow({ status, description, headers, contents, codes }: ShownAnswer, everywhere: string[]): Html {
  const types =
    Number(status) < 400 ? contents.map(({ mediaType }) => html`<code class="type">${mediaType}</code> `) : [];
  const own = headers.filter(({ name }) => !everywhere.includes(name));
  const names = own.map(({ name }) => html`<code>${name}</code> `);
  const answered = codes.length > 0 ? html`<span class="codes">${codes.map(codeLink)}</span>` : html`${types}`;
  const carried = names.length > 0 ? html`<br><span class="muted">Headers: </span>${names}` : undefined;
  const when = titlesOf(codes) || description;
  return html`<tr><td class="status s${status[0]}">${status}</td><td>${prose(when)}${carried}</td><td>${answered}</td></tr>
`;
}

const HEAD = html`<thead><tr><th>Status</th><th>When</th><th>Type, or problem codes</th></tr></thead>`;

/** The answers of an operation, without the shared problems. */
export function answersPart({ answers: all, summary }: ShownOperation, shared: ReadonlySet<string>): Html {
  const answers = all.flatMap((answer) => {
    const codes = answer.codes.filter((code) => !shared.has(code));
    return answer.codes.length > 0 && codes.length === 0 ? [] : [{ ...answer, codes }];
  });
  const [first, ...others] = answers.map(({ headers }) => headers.map(({ name }) => name));
  const everywhere = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  const rows = answers.map((answer) => answerRow(answer, everywhere));
  const table = html`<table>${HEAD}<tbody>${rows}</tbody></table>`;
  const carried = everywhere.map((name) => html`<code>${name}</code> `);
  const answered = carried.length > 0 ? html`<p class="muted">Each has the headers ${carried}</p>` : undefined;
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
  const also =
    shared.size > 0
      ? html`<p class="muted">And <a href="#any-call">what any call here may be answered</a></p>`
      : undefined;
  return html`<h3>Answers</h3>${scrolled('Answers', table)}${answered}${also}${shown}`;
}

/** The problems that any operation of a page may be answered; undefined if there are none. */
export function sharedPart(operations: readonly ShownOperation[], shared: ReadonlySet<string>): Html | undefined {
  if (shared.size === 0) return undefined;
  const rows = (operations[0]?.answers ?? []).flatMap((answer) => {
    const codes = answer.codes.filter((code) => shared.has(code));
    return codes.length === 0 ? [] : [answerRow({ ...answer, codes }, [])];
  });
  return html`<h2 id="any-call">What any call here may be answered</h2>
${scrolled('Problems', html`<table>${HEAD}<tbody>${rows}</tbody></table>`)}`;
}
