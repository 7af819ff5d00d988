/** Reads the files that are dropped on the page, in folders of any depth. */
import type { Dropped } from '../model/exports.ts';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder: `readEntries` returns at most a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function filesBelow(entry: FileSystemEntry): Promise<Dropped<File>[]> {
  if (entry.isDirectory) {
    const entries = await entriesOf(entry as FileSystemDirectoryEntry);
    return (await Promise.all(entries.map(filesBelow))).flat();
  }
  const file = await fileOf(entry as FileSystemFileEntry);
  return [{ path: entry.fullPath.replace(/^\//, ''), size: file.size, file }];
}

/** The files of a drop. Call it while the event is handled: its entries are empty afterwards. */
export async function droppedFiles({ dataTransfer }: DragEvent): Promise<Dropped<File>[]> {
  const entries = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(filesBelow))).flat();
}

/** The files of `<input webkitdirectory>`. */
export const chosenFiles = (files: FileList | null): Dropped<File>[] =>
  [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, size: file.size, file }));
