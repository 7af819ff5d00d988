/** The pages to which the `type` of a problem points, and their list. */
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../contract/problems.ts';
import { type Html, html, prose } from './html.ts';

export const findCode = (text: string): ProblemCode | undefined => PROBLEM_CODES.find((code) => code === text);

/** /docs/problems: by status, lowest first. */
export function renderProblems(): Html {
  const rows = [...PROBLEM_CODES]
    .sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status)
    .map((code) => {
      const { status, title, retryable } = PROBLEMS[code];
      return html`<tr><td class="status s${String(status)[0]}">${status}</td><td><a href="/docs/problems/${code}"><code>${code}</code></a></td><td>${prose(title)}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`;
    });
  return html`<h1>Problems</h1>
<p>Every answer of 400 and above, outside <code>/oauth</code>, has one body: <code>application/problem+json</code> (RFC 9457). Branch on its <code>code</code>, which is stable; show its <code>message</code>; quote its <code>requestId</code>. Its <code>type</code> is the page of its code here.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Problems"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th><th>Retry unchanged</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** /docs/problems/{code}. */
export function renderProblem(code: ProblemCode): Html {
  const { status, title, help, retryable } = PROBLEMS[code];
  const retry = retryable ? 'The same call may succeed later.' : 'Repeating the same call unchanged does not help.';
  return html`<p><a href="/docs/problems">Problems</a></p>
<h1>${title}</h1>
<p>Status ${status}, <code>code</code> <code>${code}</code></p>
<p>${prose(help)}</p>
<p>${retry}</p>`;
}
