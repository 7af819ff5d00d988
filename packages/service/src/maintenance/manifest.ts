/** The manifest of a backup, `backup.json`: lists the files, so that a damaged or incomplete copy is recognised. */
import { chmod, open, readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { hashFile } from '../files/hash.ts';
import { sync } from '../files/sync.ts';
import type { StorePlaces } from '../storage/store-place.ts';
import { VERSION } from '../version.ts';

export const MANIFEST = 'backup.json';
const FORMAT = 1;
/** The ledger's schema since which all stores have the id of their folder. */
const IDENTIFIED = 9;

interface BackupFile {
  /** Relative to the backup, with `/` between folders. */
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface Manifest {
  format: number;
  /** The version that made it. */
  daypart: string;
  ledgerSchema: number;
  factsSchema: number;
  /** ISO 8601 UTC: a time at which no load was being merged. */
  createdAt: string;
  /** Completed reports whose files are included. */
  reports: number;
  files: BackupFile[];
}

/** Makes every file and folder private to its owner, flushes all to disk, and describes the files, by path. */
export async function settleFiles(folder: string, signal: AbortSignal): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  async function settle(inside: string): Promise<void> {
    const entries = await readdir(join(folder, inside), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) await settle(path);
      else {
        await chmod(join(folder, path), 0o600);
        await sync(join(folder, path));
        files.push({ path, ...(await hashFile(join(folder, path), 'hex', signal)) });
      }
    }
    await chmod(join(folder, inside), 0o700);
    await sync(join(folder, inside));
  }
  await settle('');
  return files;
}

/** Writes the manifest of a folder whose files are settled; it is the last file of a backup. */
export async function writeManifest(
  folder: string,
  places: StorePlaces,
  what: Pick<Manifest, 'createdAt' | 'reports' | 'files'>,
): Promise<Manifest> {
  const manifest: Manifest = {
    format: FORMAT,
    daypart: VERSION,
    ledgerSchema: places.ledger.newestSchema(),
    factsSchema: places.facts.newestSchema(),
    ...what,
  };
  const file = await open(join(folder, MANIFEST), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await sync(folder);
  return manifest;
}

/** Throws Error if the folder is not a backup, or one that only a newer version understands. */
export async function readManifest(folder: string, places: StorePlaces): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    throw new Error(`${folder} is not a backup: it has no ${MANIFEST}`, { cause: error });
  }
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new Error(`${join(folder, MANIFEST)} is damaged: it is not JSON`, { cause: error });
  }
  if (typeof manifest?.format !== 'number' || !Array.isArray(manifest.files) || !manifest.files.every(isFile))
    throw new Error(`${join(folder, MANIFEST)} is damaged: it does not describe a backup`);
  refuseNewer('format', manifest.format, FORMAT, manifest.daypart);
  refuseNewer('ledger schema', manifest.ledgerSchema, places.ledger.newestSchema(), manifest.daypart);
  refuseNewer('facts schema', manifest.factsSchema, places.facts.newestSchema(), manifest.daypart);
  refuseParts(folder, places, manifest as Manifest);
  return manifest as Manifest;
}

/** Refuses a ledger without its facts, or facts without their ledger, since no service would start on such a folder. */
function refuseParts(folder: string, { ledger, facts, results }: StorePlaces, { files, ledgerSchema }: Manifest): void {
  const parts = [ledger.file, facts.file];
  if (ledgerSchema >= IDENTIFIED) parts.push(results.file);
  const missing = parts.find((part) => !files.some(({ path }) => path === part));
  if (missing) throw new Error(`${folder} is not a whole backup: ${MANIFEST} lists no ${missing}`);
}

function refuseNewer(what: string, found: number | undefined, known: number, version: string | undefined): void {
  if (typeof found === 'number' && found <= known) return;
  throw new Error(
    `the backup was made by a newer daypart (${version}: ${what} ${found}, this one knows ${known}); upgrade daypart to restore it`,
  );
}

/** Whether the entry is valid; a path that leads out of the folder was not written by a backup. */
function isFile(file: Partial<BackupFile> | null): boolean {
  return (
    typeof file?.path === 'string' &&
    typeof file.bytes === 'number' &&
    typeof file.sha256 === 'string' &&
    !isAbsolute(file.path) &&
    !normalize(file.path).split(sep).includes('..')
  );
}

/** Throws Error naming the first file that is missing or has changed. */
export async function checkFiles(folder: string, files: BackupFile[]): Promise<void> {
  for (const file of files) {
    const path = join(folder, file.path);
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) throw new Error(`the backup is damaged: ${path} is missing`);
    if (size !== file.bytes) throw new Error(`the backup is damaged: ${path} has ${size} bytes, not ${file.bytes}`);
    const { sha256 } = await hashFile(path, 'hex');
    if (sha256 !== file.sha256) throw new Error(`the backup is damaged: ${path} is not what was written (SHA-256)`);
  }
}
