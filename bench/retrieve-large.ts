/**
 * Retrieval of 250,000 check records, compared with raw node:http and nginx sending the same file; and with slow
 * readers.
 */
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { drain, residentBytes, startLimit, startNginx } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { LAST_DATE, withLarge } from './folders.ts';
import { type BenchService, startService } from './service.ts';

const READERS = 50;
const SLOW_MS = 6000;
const MEGABYTE = 1_000_000;

/** A reader that takes some 64 kB ten times a second. */
function readSlowly(url: URL, headers: Record<string, string>): Socket {
  const socket = connect(Number(url.port), url.hostname);
  const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.on('error', () => undefined);
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  return socket;
}

/** How much the service's resident memory grows at most while the slow readers are at it, in bytes. */
async function growth(service: BenchService, url: string): Promise<number> {
  const before = residentBytes(service.pid);
  const readers = Array.from({ length: READERS }, () => readSlowly(new URL(url), service.headers));
  let most = before;
  for (const until = Date.now() + SLOW_MS; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, residentBytes(service.pid));
  }
  if (readers.some(({ bytesRead, destroyed }) => bytesRead === 0 || destroyed))
    throw new Error('a slow reader was cut');
  for (const reader of readers) reader.destroy();
  return most - before;
}

export const retrieveLarge = (): Promise<Figure[]> =>
  withLarge(async ({ data, folder }) => {
    const service = await startService(data);
    const guid = await service.ask('/check/day', { startBusinessDate: LAST_DATE, endBusinessDate: LAST_DATE });
    const url = `${service.baseUrl}/check/${guid}`;
    const body = Buffer.from(await (await service.retrieve(`/check/${guid}`)).arrayBuffer());
    const file = join(folder, 'checks.json');
    await writeFile(file, body);
    const limit = await startLimit('stream', file);
    const nginx = await startNginx(file);

    const rate = async (of: string, headers: Record<string, string> = {}): Promise<number> =>
      (await drain({ url: of, headers })) / MEGABYTE;
    const ours = (): Promise<number> => rate(url, service.headers);
    try {
      await ours();
      await rate(limit.url);
      const size = `${Math.round(body.length / MEGABYTE)} MB`;
      const figure = `retrieval of 250 k check records (${size}), MB/s`;
      const beside = 'raw node:http + fs stream';
      const figures = [
        figureOf(
          { figure, beside, compared: 'ratio', goal: { at: 'least', value: 0.9 } },
          await runPairs(ours, () => rate(limit.url)),
        ),
      ];
      const sendfile = { figure, compared: 'ratio', goal: { at: 'least', value: 0.5 } } as const;
      figures.push(
        nginx
          ? figureOf({ ...sendfile, beside: 'nginx sendfile' }, await runPairs(ours, () => rate(nginx.url)))
          : figureOf({ ...sendfile, beside: 'nginx not installed' }, [{ ours: await ours(), limit: null }]),
      );
      figures.push(
        figureOf(
          {
            figure: `memory growth with ${READERS} slow readers of it, MB`,
            beside: '-',
            compared: 'alone',
            goal: { at: 'most', value: 64 },
          },
          [{ ours: (await growth(service, url)) / MEGABYTE, limit: null }],
        ),
      );
      return figures;
    } finally {
      await limit.stop();
      await nginx?.stop();
      await service.stop();
    }
  });
