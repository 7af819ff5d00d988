/**
 * Caches complete files of the bucket on the disk of this node; the least recently used are removed. May be lost at any
 * time.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file used this recently is not removed even beyond the limit: the engine may be about to open it. */
const IN_USE_MS = 60_000;

interface CacheEntry {
  bytes: number;
  /** Changes when the file is written to or replaced. */
  version: string;
  usedAt: number;
}

export interface FileCache {
  /** A path to write a file to before it is added. */
  scratch(name: string): string;
  /** The path of a cached file that is unchanged since it was added; counts as a use. */
  find(key: string): Promise<string | undefined>;
  /** Moves a file into the cache, making room for it. Returns its path. */
  add(key: string, file: string): Promise<string>;
  forget(key: string): Promise<void>;
  /** Total bytes of the cached files. */
  size(): number;
  /** Removes everything. */
  clear(): Promise<void>;
}

const versionOf = async (path: string): Promise<{ bytes: number; version: string }> => {
  const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
  return { bytes: Number(size), version: [size, mtimeNs, ctimeNs, ino].join('/') };
};

/**
 * Opens the cache in a folder, which it creates. Keeps at most `maxBytes`, except for files used within the last
 * minute.
 */
export async function openFileCache(folder: string, maxBytes: number): Promise<FileCache> {
  const scratchFolder = join(folder, 'scratch');
  const filesFolder = join(folder, 'files');
  // In the order of use. The limit is enforced here, because a recently used file must not be evicted.
  const held = new Map<string, CacheEntry>();
  let total = 0;

  const pathOf = (key: string): string => join(filesFolder, createHash('sha256').update(key).digest('hex'));
  function drop(key: string): void {
    total -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  }
  async function makeRoom(): Promise<void> {
    const oldest = Date.now() - IN_USE_MS;
    for (const [key, { usedAt }] of held) {
      if (total <= maxBytes || usedAt > oldest) return;
      drop(key);
      await rm(pathOf(key), { force: true });
    }
  }
  async function makeFolders(): Promise<void> {
    for (const path of [scratchFolder, filesFolder]) await mkdir(path, { recursive: true, mode: 0o700 });
  }

  await makeFolders();
  return {
    scratch: (name) => join(scratchFolder, `${randomUUID()}-${name}`),
    async find(key) {
      const known = held.get(key);
      if (!known) return undefined;
      known.usedAt = Date.now();
      held.delete(key);
      held.set(key, known);
      const path = pathOf(key);
      const now = await versionOf(path).catch(() => undefined);
      if (now?.version === known.version) return path;
      // Damaged or removed: it can be downloaded again.
      if (held.get(key) === known) drop(key);
      await rm(path, { force: true });
      return undefined;
    },
    async add(key, file) {
      const path = pathOf(key);
      await rename(file, path);
      const { bytes, version } = await versionOf(path);
      drop(key);
      held.set(key, { bytes, version, usedAt: Date.now() });
      total += bytes;
      await makeRoom();
      return path;
    },
    async forget(key) {
      drop(key);
      await rm(pathOf(key), { force: true });
    },
    size: () => total,
    async clear() {
      held.clear();
      total = 0;
      await rm(folder, { recursive: true, force: true });
      await makeFolders();
    },
  };
}
