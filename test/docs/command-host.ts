/**
 * Runs the `daypart` commands of the examples, one after the other or side by side, in one process: they are 200, and
 * to start a process for each took three quarters of the time of all examples. A shell sends where its streams are in
 * /proc, its working directory, the number of words, the words, and the environment, each ended by NUL. The answer is
 * the exit code.
 */
import { constants, createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { begin, within } from '../commands/in-process.ts';

interface Order {
  /** Paths of standard input, output and error. */
  streams: [string, string, string];
  cwd: string;
  args: string[];
  env: Record<string, string>;
}

/** Undefined while it is not complete. */
function readOrder(text: string): Order | undefined {
  const [folder = '', stdin = '', stdout = '', stderr = '', cwd = '', count = '', ...rest] = text.split('\0');
  const [args, more] = [rest.slice(0, Number(count)), rest.slice(Number(count))];
  const end = more.indexOf('');
  if (count === '' || end < 0 || end === more.length - 1) return undefined;
  const env = Object.fromEntries(
    more.slice(0, end).map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  return { streams: [`${folder}/${stdin}`, `${folder}/${stdout}`, `${folder}/${stderr}`], cwd, args, env };
}

/**
 * What the shell has as standard output or error. Its file is appended to, since each of the two has a place of its own
 * in it.
 */
async function openOutput(path: string): Promise<WriteStream> {
  const { O_WRONLY, O_APPEND } = constants;
  return createWriteStream(path, { fd: await open(path, O_WRONLY | O_APPEND) });
}

async function close(stream: WriteStream): Promise<void> {
  stream.end();
  // One that nobody reads any more has failed already.
  await finished(stream).catch(() => undefined);
}

async function obey({ streams: [input, output, errors], cwd, args, env }: Order, socket: Socket): Promise<number> {
  const stdin = createReadStream(input, { fd: await open(input) });
  const stdout = await openOutput(output);
  const stderr = await openOutput(errors);
  try {
    return await within(cwd, async () => {
      const begun = begin(args, { env, stdin, stdout, stderr });
      // A shell that is killed takes its command with it.
      socket.once('close', () => begun.signal('SIGINT'));
      return await begun.ended;
    });
  } finally {
    stdin.destroy();
    await Promise.all([stdout, stderr].map(close));
  }
}

const server = createServer((socket) => {
  let text = '';
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.on('data', (piece) => {
    text += piece;
    const order = readOrder(text);
    if (!order) return;
    obey(order, socket).then(
      (code) => socket.end(`${code}\n`),
      (error) => {
        process.stderr.write(`${error.stack}\n`);
        socket.end('70\n');
      },
    );
  });
}).listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
