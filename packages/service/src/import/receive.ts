/**
 * Receives the files of an export over HTTP (multipart/form-data, RFC 7578) into a folder of their day, which is
 * removed after the import.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { keptPieces } from '../ingest/body.ts';
import { isDiskFailing, isDiskFull, isOutOfFiles } from '../storage/disk-fault.ts';
import { makeFolder } from '../storage/folders.ts';
import { type DayFolder, SAFE_FILE_NAME } from './day-folder.ts';
import { exportBody } from './export-body.ts';
import type { Mapping } from './mapping.ts';

const MEGABYTE = 1024 * 1024;
/**
 * A busy day of one restaurant has 2 MB in total. Tables are read into memory, so this bounds the memory of an import.
 */
export const LARGEST_EXPORT_BYTES = 32 * MEGABYTE;
const MOST_FILES = 20;
const LARGEST_COLUMNS_BYTES = 64 * 1024;

export interface Received {
  day: DayFolder;
  mapping: Mapping;
  /** The size of all files. */
  bytes: number;
}

const tooLarge = (): Problem =>
  new Problem('body_too_large', `The files of a day may have ${LARGEST_EXPORT_BYTES / MEGABYTE} MiB together.`);

/** Where the files go, and how many milliseconds a client may send nothing. */
interface ReceiveOptions {
  folder: string;
  /** YYYYMMDD. */
  date: number;
  silenceMs: number;
}

/**
 * Writes the files into `folder/YYYYMMDD`. Throws Problem unsupported_media_type, invalid_body for a part that is not a
 * file of an export, body_too_large, request_timeout; the caller removes the folder in any case.
 */
export async function receiveExport(
  request: IncomingMessage,
  { folder, date, silenceMs }: ReceiveOptions,
): Promise<Received> {
  const path = join(folder, String(date));
  await makeFolder(path, join(folder, '..', '..'));
  const parser = openParser(request);
  const names = new Set<string>();
  const writes: Promise<void>[] = [];
  let columns: string | undefined;
  let bytes = 0;
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  const reading = new AbortController();
  const fail = (error: unknown): void => {
    reject(error);
    reading.abort();
  };
  // Marks the promise as handled: an error is still reported where it is awaited.
  whole.catch(() => undefined);

  parser.on('file', (_field: string, file: Readable, fileName: string | undefined) => {
    const name = basename(fileName ?? '');
    file.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LARGEST_EXPORT_BYTES) fail(tooLarge());
    });
    if (!SAFE_FILE_NAME.test(name) || names.has(name)) {
      file.resume();
      return fail(fieldProblem('invalid_body', name.slice(0, 100), 'Each part must be a file with a name of its own.'));
    }
    names.add(name);
    // Ended by the signal: pipeline waits for ever for a source that is destroyed between its last byte and its end.
    const { signal } = reading;
    const written = pipeline(file, createWriteStream(join(path, name), { mode: 0o600 }), { signal });
    written.catch(fail);
    writes.push(written);
  });
  parser.on('field', (name: string, value: string) => {
    if (name === 'columns') columns = value;
    else fail(fieldProblem('invalid_body', name.slice(0, 100), 'The parts must be files, and optionally columns.'));
  });
  parser.on('filesLimit', () => fail(fieldProblem('invalid_body', '', `There are more than ${MOST_FILES} files.`)));
  parser.on('finish', () => resolve());
  parser.on('error', fail);
  // A client that left before this is not announced again.
  if (request.destroyed) fail(new Error('the client disconnected'));
  // Not the request itself, whose connection would be cut before the refusal is sent.
  else pipeline(keptPieces(request, silenceMs), parser, { signal: reading.signal }).catch(fail);
  try {
    await whole;
    await Promise.all(writes);
  } catch (error) {
    for (const write of writes) write.catch(() => undefined);
    await Promise.allSettled(writes);
    // A body that ends early, or is not of this type, is the same to the client.
    const isOwn = error instanceof Problem && error.code !== 'malformed_request';
    if (isOwn || isSystemError(error)) throw error;
    throw new Problem('invalid_body', 'The body is not multipart/form-data, or ends too early.', { cause: error });
  }
  const { columns: mapping } = exportBody.read({ files: [...names], columns });
  return { day: { date, path }, mapping, bytes };
}

/** Errors of the system, such as a full disk, are reported as such, not as a malformed body. */
const isSystemError = (error: unknown): boolean => isDiskFull(error) || isDiskFailing(error) || isOutOfFiles(error);

/** Throws Problem unsupported_media_type, or body_too_large if the request says that it is. */
function openParser({ headers }: IncomingMessage): BusboyInstance {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new Problem('unsupported_media_type', 'The Content-Type must be multipart/form-data with a boundary.');
  if (Number(headers['content-length']) > LARGEST_EXPORT_BYTES + MEGABYTE) throw tooLarge();
  const limits = { files: MOST_FILES, fields: 4, fieldSize: LARGEST_COLUMNS_BYTES, headerPairs: 20 };
  try {
    return new Busboy({ headers: { ...headers, 'content-type': type }, limits });
  } catch (cause) {
    throw new Problem('unsupported_media_type', 'The Content-Type has no boundary.', { cause });
  }
}

const AGAIN_MS = 1000;

/**
 * Removes the folder in which the files of an import are kept while it runs. A folder is opened to be removed, so if no
 * more files can be opened it is removed later, without being awaited. Throws any other error.
 */
export async function removeExport(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    // What else prevents it is found when the service starts again, and empties its spool.
    setTimeout(() => void removeExport(folder).catch(() => undefined), AGAIN_MS).unref();
  }
}
