/** The docs pages that problem `type` URIs point to. They need nothing from any other host. */
import type { FastifyInstance } from 'fastify';
import { PROBLEMS, Problem, type ProblemCode } from '../problems.ts';
import { problemPage, problemsPage } from './operations.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
const prose = (text: string): string => html(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE =
  'body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1c1917;background:#fff}' +
  'code{background:#f5f5f4;padding:.1em .3em;border-radius:.2em}a{color:#9a3412}td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top}' +
  '@media(prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}code{background:#292524}a{color:#fdba74}}';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${html(title)} · Daypart</title><style>${STYLE}</style></head><body>${body}</body></html>`;

const codes = Object.keys(PROBLEMS) as ProblemCode[];

/** GET /docs/problems and /docs/problems/{code}, at the origin. */
export async function pageRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    reply.header('x-content-type-options', 'nosniff');
  });

  app.get('/docs/problems', { config: { operation: problemsPage } }, (_request, reply) => {
    const rows = codes.map(
      (code) =>
        `<tr><td>${PROBLEMS[code].status}</td><td><a href="/docs/problems/${code}"><code>${code}</code></a></td><td>${prose(PROBLEMS[code].title)}</td></tr>`,
    );
    return reply
      .type('text/html; charset=utf-8')
      .send(
        page(
          'Problems',
          `<h1>Problems</h1><table><tr><th>Status</th><th>code</th><th></th></tr>${rows.join('')}</table>`,
        ),
      );
  });

  app.get<{ Params: { code: string } }>(
    '/docs/problems/:code',
    { config: { operation: problemPage } },
    (request, reply) => {
      const code = codes.find((known) => known === request.params.code);
      if (!code) throw new Problem('route_not_found', 'There is no problem of this code; /docs/problems lists them.');
      const { status, title, help, retryable } = PROBLEMS[code];
      const retry = retryable ? 'The same call may succeed later.' : 'Repeating the same call unchanged does not help.';
      return reply
        .type('text/html; charset=utf-8')
        .send(
          page(
            title,
            `<p><a href="/docs/problems">Problems</a></p><h1>${prose(title)}</h1><p>Status ${status}, <code>code</code> <code>${code}</code></p><p>${prose(help)}</p><p>${retry}</p>`,
          ),
        );
    },
  );
}
