/** The console: its document at the paths of its screens, and its files. It calls the same API as all other clients. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { GUID_PATTERN } from '../contract/words.ts';
import { PAGE_HEADERS } from '../docs-site/layout.ts';
import { acceptedCodings, varyBy } from '../http/content-coding.ts';
import { readConsoleFile } from './console-operations.ts';
import type { ConsoleFile, ConsoleFiles, ContentCoding } from './files.ts';

/**
 * Trusted Types: no text becomes a script anywhere in the page, and there is no policy that could make one. The opener
 * policy denies a page of another origin that opened the console access to its window.
 */
const SHELL_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': `${PAGE_HEADERS['content-security-policy']}; require-trusted-types-for 'script'; trusted-types 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const;
const YEAR_SECONDS = 31_536_000;
const CODINGS: ContentCoding[] = ['br', 'gzip', 'identity'];

/** The paths of the screens; any other path is an unknown one. */
const SCREENS = [
  '',
  `restaurants(?:/${GUID_PATTERN}(?:/(?:checks|settings))?)?`,
  'compare',
  'labour',
  'menu',
  `reports(?:/(?:new|${GUID_PATTERN}(?:/changes)?))?`,
  'data(?:/(?:import|connections(?:/new)?))?',
  'access(?:/(?:clients|keys|webhook|limits|sessions|audit))?',
  'health',
  'more',
  'sign-in',
  'welcome',
];
const SCREEN = new RegExp(`^/(?:${SCREENS.join('|')})/?$`, 'i');

/** Whether the path of a URL is one of the console's screens. */
const isScreen = (path: string): boolean => SCREEN.test(path);

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): Promise<FastifyReply> {
  varyBy(reply, 'Accept-Encoding');
  const accepted = file.compresses ? acceptedCodings(request.headers['accept-encoding']) : [];
  const coding = accepted.flatMap((one) => CODINGS.filter((known) => known === one))[0] ?? 'identity';
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.type).send(await file.body(coding));
}

/**
 * Sends the console's document to a browser that opened a screen. Returns false, and sends nothing, for any other path.
 */
export function sendShell(files: ConsoleFiles | undefined, request: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '/'] = request.url.split('?');
  if (!files || !isScreen(path)) return false;
  reply.status(200).headers({ ...SHELL_HEADERS, 'x-request-id': request.id });
  void sendFile(request, reply, files.shell);
  return true;
}

/** Mounts the route of the console's files at the origin. */
export async function consoleRoutes(
  app: FastifyInstance,
  { files }: { files: ConsoleFiles | undefined },
): Promise<void> {
  app.get<{ Params: { consoleFile: string } }>(
    '/console/:consoleFile',
    { config: { operation: readConsoleFile } },
    async (request, reply) => {
      const file = files?.find(request.params.consoleFile);
      if (!file) throw new Problem('route_not_found', 'The console has no file of this name.');
      reply.headers({ ...PAGE_HEADERS, 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` });
      return await sendFile(request, reply, file);
    },
  );
}
