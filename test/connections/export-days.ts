/** Export folders of any date, with orders of their own, made of the plain day of test/golden. */
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLAIN = fileURLToPath(new URL('../golden/plain-day/20260310', import.meta.url));
/** How its ids and GUIDs begin. */
const IDS = '13000000157343';
const GUIDS = '0c0a1b2c';

/** The files of a date (YYYYMMDD) by name; another edition has other prices. */
export async function filesOf(date: number, edition = 0): Promise<Map<string, string>> {
  const [, year = '', month = '', day = ''] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(date)) ?? [];
  const names = (await readdir(PLAIN)).sort();
  const files = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(PLAIN, name), 'utf8');
      const dated = text
        .replaceAll('03/10/2026', `${month}/${day}/${year}`)
        .replaceAll('03/10/26', `${month}/${day}/${year.slice(2)}`)
        .replaceAll('3/10/26', `${Number(month)}/${Number(day)}/${year.slice(2)}`)
        .replaceAll(IDS, `130000${date}`)
        .replaceAll(GUIDS, String(date))
        .replaceAll('16.00,1.00,15.00', `${16 + edition}.00,1.00,${15 + edition}.00`);
      return [name, dated];
    }),
  );
  return new Map(files);
}

/** Writes files of a date into `folder/YYYYMMDD`, modified at an instant (ms since 1970 UTC). */
export async function writeDay(
  folder: string,
  date: number,
  { at, edition = 0, only }: { at: number; edition?: number; only?: (name: string) => boolean },
): Promise<void> {
  const path = join(folder, String(date));
  await mkdir(path, { recursive: true });
  for (const [name, text] of await filesOf(date, edition)) {
    if (only && !only(name)) continue;
    await writeFile(join(path, name), text);
    await utimes(join(path, name), new Date(at), new Date(at));
  }
}
