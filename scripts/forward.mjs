// In a checkout the packages' dist/ only forwards to their sources, which Node 24 runs as they are: an import of
// @daypart/client or @daypart/cli is never older than what was edited. `npm pack` builds the real dist/
// (scripts/build.mjs) and writes the forwarding files again when it is done. The service is imported by nobody: it has
// no dist/ here.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages');

/** The names of a package's entries: `index` for dist/index.js. */
const entriesOf = (folder) =>
  Object.values(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).exports ?? {})
    .map((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default ?? '')?.[1])
    .filter((name) => name !== undefined);

/** Writes the files that are missing or different, and removes what a build left. */
export function forward() {
  for (const name of ['client', 'cli']) {
    const folder = join(packages, name);
    const dist = join(folder, 'dist');
    const files = new Map(entriesOf(folder).map((entry) => [`${entry}.js`, `export * from '../src/${entry}.ts';\n`]));
    if (existsSync(dist) && readdirSync(dist).some((file) => !files.has(file))) rmSync(dist, { recursive: true });
    mkdirSync(dist, { recursive: true });
    for (const [file, text] of files) {
      const path = join(dist, file);
      if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
    }
  }
  for (const built of ['service/dist', 'service/node_modules/@daypart'])
    rmSync(join(packages, built), { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) forward();
