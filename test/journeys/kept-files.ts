/** The files of a report in a folder of results, by the names of its forms. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files of an attempt at a report: what they are the form of, and where they are. A kept file is named
 * `<random>-<form>`.
 */
export async function keptFiles(data: string, guid: string, attempt = 1): Promise<Map<string, string>> {
  const folder = join(data, 'results', guid.slice(0, 2), guid, String(attempt));
  return new Map((await readdir(folder)).map((file) => [file.replace(/^[0-9a-f]{12}-/, ''), join(folder, file)]));
}
