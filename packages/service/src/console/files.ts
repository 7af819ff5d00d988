/** The console's files: written by its build into one flat folder, read once and compressed at the first request. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { withBasePath } from '../http/base-path.ts';

/** The folder of the console's build: beside `src/` in a checkout, beside `dist/` in the package. */
const BUILT = fileURLToPath(new URL('../../static/console/', import.meta.url));
const SHELL = 'index.html';
const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** Shorter files, such as icons of some hundred bytes, gain nothing. */
const LEAST_COMPRESSED_BYTES = 512;
/** 120 kB take 15 ms at this level, once; the highest level takes 250 ms for 3 % less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

export type ContentCoding = 'br' | 'gzip' | 'identity';

export interface ConsoleFile {
  type: string;
  /** Whether it is worth compressing: text of some length. */
  compresses: boolean;
  /** The bytes in a content encoding. */
  body(coding: ContentCoding): Promise<Buffer>;
}

export interface ConsoleFiles {
  /** The document of every screen. */
  shell: ConsoleFile;
  /** Finds a script, style or picture by its name, which contains its hash. */
  find(name: string): ConsoleFile | undefined;
}

const coders: Record<ContentCoding, (plain: Buffer) => Promise<Buffer>> = {
  br: (plain) => promisify(brotliCompress)(plain, BROTLI),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
  identity: async (plain) => plain,
};

function fileOf(plain: Buffer, type: string): ConsoleFile {
  const coded = new Map<ContentCoding, Promise<Buffer>>();
  return {
    type,
    compresses: !type.startsWith('image/png') && plain.length >= LEAST_COMPRESSED_BYTES,
    body(coding) {
      const body = coded.get(coding) ?? coders[coding](plain);
      coded.set(coding, body);
      return body;
    },
  };
}

/**
 * Reads the console: `on` is the one built with the service, other text the folder of another build. Undefined for
 * `off`, and for `on` if none was built. The document names its files below the base path. Throws Error if a named
 * folder has no `index.html`.
 */
export function readConsole(setting: string, basePath = ''): ConsoleFiles | undefined {
  if (setting === 'off') return undefined;
  const folder = setting === 'on' ? BUILT : setting;
  const files = new Map<string, ConsoleFile>();
  for (const name of listIn(folder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (!type) continue;
    const plain = readFileSync(join(folder, name));
    files.set(name, fileOf(name === SHELL ? Buffer.from(withBasePath(String(plain), basePath)) : plain, type));
  }
  const shell = files.get(SHELL);
  files.delete(SHELL);
  if (shell) return { shell, find: (name) => files.get(name) };
  if (setting === 'on') return undefined;
  throw new Error(`--console: ${folder} has no ${SHELL}; name the folder of a built console, or \`off\``);
}

function listIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch {
    return [];
  }
}
