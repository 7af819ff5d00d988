/**
 * A stand-in for the server of nightly exports: the SFTP server of `ssh2` over a folder of this machine, which
 * misbehaves by rule. It reads the folder at each call, so a test changes what it serves by changing files.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join, normalize } from 'node:path';
import { makeKeyPair } from '../../packages/service/src/connections/key-pair.ts';

/** A call of the protocol, by the path that it is about. */
export interface SftpCall {
  op: 'OPENDIR' | 'READDIR' | 'OPEN' | 'READ';
  path: string;
  /** How many calls there were before it. */
  number: number;
}

/**
 * `drop` closes the connection, `stall` answers nothing, `truncate` ends a file before its end, `endless` lists a
 * folder for ever, `deny` and `fail` answer with an error.
 */
export type SftpFault = 'drop' | 'stall' | 'truncate' | 'endless' | 'deny' | 'fail';

export interface SftpStandIn {
  port: number;
  /** Its fingerprint. */
  hostKey: string;
  /** What was asked, and how often somebody signed in. */
  calls: SftpCall[];
  logins: number;
  /** The line of the key that it accepts; undefined: none. */
  accepts: string | undefined;
  rule: (call: SftpCall) => SftpFault | undefined;
  /** Entries that it lists besides those of the folder, by path. */
  more: Map<string, { filename: string; mode: number }[]>;
  /** Identifies itself by another key from now on. */
  changeHostKey(): void;
  close(): Promise<void>;
}

interface Attributes {
  mode: number;
  uid: number;
  gid: number;
  size: number;
  atime: number;
  mtime: number;
}

interface Authentication {
  method: string;
  username: string;
  key: { data: Buffer };
  signature?: Buffer;
  blob: Buffer;
  hashAlgo?: string;
  accept(): void;
  reject(methods?: string[]): void;
}

/** What is used of the server's side of `ssh2`. */
interface ServerSftp {
  on(event: 'OPENDIR' | 'REALPATH' | 'OPEN', listener: (id: number, path: string) => void): ServerSftp;
  on(event: 'READDIR' | 'CLOSE', listener: (id: number, handle: Buffer) => void): ServerSftp;
  on(event: 'READ', listener: (id: number, handle: Buffer, offset: number, length: number) => void): ServerSftp;
  status(id: number, code: number): void;
  handle(id: number, handle: Buffer): void;
  name(id: number, names: { filename: string; longname: string; attrs: Attributes }[]): void;
  data(id: number, data: Buffer): void;
}

interface ServerClient {
  on(event: 'authentication', listener: (of: Authentication) => void): ServerClient;
  on(event: 'session', listener: (accept: () => ServerClient) => void): ServerClient;
  on(event: 'sftp', listener: (accept: () => ServerSftp) => void): ServerClient;
  on(event: 'error' | 'ready', listener: () => void): ServerClient;
}

interface Ssh2Server {
  Server: new (
    options: { hostKeys: string[] },
    listener: (client: ServerClient) => void,
  ) => { injectSocket(socket: Socket): void };
  utils: { parseKey(line: string): { verify(blob: Buffer, signature: Buffer, hash?: string): boolean } };
}

const { Server, utils } = createRequire(import.meta.url)('ssh2') as Ssh2Server;

const OK = 0;
const END = 1;
const NO_SUCH_FILE = 2;
const DENIED = 3;
const FAILURE = 4;
const AT_ONCE = 100;

const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`;

const attributes = (mode: number, size = 0, mtime = 0): Attributes => ({
  mode,
  uid: 0,
  gid: 0,
  size,
  atime: mtime,
  mtime,
});

interface Opened {
  path: string;
  /** Entries that are not listed yet; of a folder. */
  left?: { filename: string; attrs: Attributes }[];
  bytes?: Buffer;
}

/** Serves the folder on a port of 127.0.0.1. */
export async function startSftp(folder: string): Promise<SftpStandIn> {
  let host = makeKeyPair();
  const sockets = new Set<Socket>();
  const standIn: SftpStandIn = {
    port: 0,
    hostKey: fingerprintOf(host.publicKey),
    calls: [],
    logins: 0,
    accepts: undefined,
    rule: () => undefined,
    more: new Map(),
    changeHostKey() {
      host = makeKeyPair();
      standIn.hostKey = fingerprintOf(host.publicKey);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };

  function isAccepted({ method, key, signature, blob, hashAlgo }: Authentication): boolean {
    const { accepts } = standIn;
    if (method !== 'publickey' || accepts === undefined) return false;
    if (key.data.toString('base64') !== accepts.split(' ')[1]) return false;
    // Without a signature it is asked whether the key may be used.
    return signature === undefined || utils.parseKey(accepts).verify(blob, signature, hashAlgo);
  }

  async function entriesOf(path: string): Promise<Opened['left'] & object> {
    const names = await readdir(join(folder, path), { withFileTypes: true });
    const own = await Promise.all(
      names.map(async (entry) => {
        const { size, mtimeMs } = await stat(join(folder, path, entry.name));
        const mode = entry.isDirectory() ? 0o040755 : 0o100644;
        return { filename: entry.name, attrs: attributes(mode, size, Math.floor(mtimeMs / 1000)) };
      }),
    );
    const more = standIn.more.get(path) ?? [];
    return [...own, ...more.map(({ filename, mode }) => ({ filename, attrs: attributes(mode) }))];
  }

  function serve(sftp: ServerSftp, socket: Socket): void {
    const handles = new Map<string, Opened>();
    let last = 0;
    const handleOf = (id: number, opened: Opened): void => {
      const name = String(++last);
      handles.set(name, opened);
      sftp.handle(id, Buffer.from(name));
    };
    /** Answers the call, unless a rule says otherwise. */
    function answer(
      id: number,
      op: SftpCall['op'],
      path: string,
      work: (fault: SftpFault | undefined) => Promise<void> | void,
    ): void {
      const call = { op, path, number: standIn.calls.length };
      standIn.calls.push(call);
      const fault = standIn.rule(call);
      if (fault === 'drop') socket.destroy();
      else if (fault === 'deny') sftp.status(id, DENIED);
      else if (fault === 'fail') sftp.status(id, FAILURE);
      else if (fault !== 'stall')
        Promise.resolve(work(fault)).catch((error: NodeJS.ErrnoException) =>
          sftp.status(id, error.code === 'ENOENT' ? NO_SUCH_FILE : FAILURE),
        );
    }
    const clean = (path: string): string => normalize(join('/', path));
    sftp
      .on('REALPATH', (id, path) =>
        sftp.name(id, [{ filename: clean(path), longname: clean(path), attrs: attributes(0o040755) }]),
      )
      .on('OPENDIR', (id, path) =>
        answer(id, 'OPENDIR', clean(path), async () =>
          handleOf(id, { path: clean(path), left: await entriesOf(clean(path)) }),
        ),
      )
      .on('READDIR', (id, handle) => {
        const opened = handles.get(String(handle));
        answer(id, 'READDIR', opened?.path ?? '', (fault) => {
          const found = fault === 'endless' ? opened?.left?.slice(0, AT_ONCE) : opened?.left?.splice(0, AT_ONCE);
          if (!found || found.length === 0) sftp.status(id, END);
          else
            sftp.name(
              id,
              found.map(({ filename, attrs }) => ({ filename, longname: filename, attrs })),
            );
        });
      })
      .on('OPEN', (id, path) =>
        answer(id, 'OPEN', clean(path), async () =>
          handleOf(id, { path: clean(path), bytes: await readFile(join(folder, clean(path))) }),
        ),
      )
      .on('READ', (id, handle, offset, length) => {
        const { path, bytes = Buffer.alloc(0) } = handles.get(String(handle)) ?? { path: '' };
        answer(id, 'READ', path, (fault) => {
          const end = fault === 'truncate' ? Math.floor(bytes.length / 2) : bytes.length;
          const piece = bytes.subarray(offset, Math.min(end, offset + length));
          if (piece.length === 0) sftp.status(id, END);
          else sftp.data(id, piece);
        });
      })
      .on('CLOSE', (id, handle) => {
        handles.delete(String(handle));
        sftp.status(id, OK);
      });
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const server = new Server({ hostKeys: [host.privateKey] }, (client) => {
      client
        .on('error', () => undefined)
        .on('authentication', (of) => {
          if (!isAccepted(of)) return of.reject(['publickey']);
          if (of.signature) standIn.logins++;
          of.accept();
        })
        .on('session', (accept) => {
          accept().on('sftp', (begin) => serve(begin(), socket));
        });
    });
    server.injectSocket(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  standIn.port = (listener.address() as AddressInfo).port;
  return standIn;
}
