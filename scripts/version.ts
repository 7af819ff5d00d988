/**
 * The version, which all packages share, in every file that has it. `node scripts/version.ts` prints it,
 * `node scripts/version.ts 1.0.0` sets it; `npm run docs` then writes it into the description.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const VERSION = /\d+\.\d+\.\d+(?:-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?/.source;

const PACKAGES = ['client', 'cli', 'console', 'service'];
/** What is before a version: of a package, of its use in another, in a chart, in text. */
const BEFORE = {
  own: '^ {2}"version": "',
  use: '"@daypart/\\w+": "',
  locked: '"packages/\\w+": \\{\\n(?: {6}"name": .*\\n)? {6}"version": "',
  chart: '^(?:version|appVersion): ',
  status: '\\*\\*Status:\\*\\* version ',
  sample: ', by daypart ',
  tag: '/daypart:',
} as const;
const PLACES: readonly (readonly [file: string, before: readonly (keyof typeof BEFORE)[]])[] = [
  ...PACKAGES.map((name) => [`packages/${name}/package.json`, ['own', 'use']] as const),
  ['package-lock.json', ['locked', 'use']],
  ['deploy/helm/daypart/Chart.yaml', ['chart']],
  ['README.md', ['status']],
  ['docs/operations.md', ['sample']],
  ['docs/scaling.md', ['tag']],
];

const patternOf = (before: keyof typeof BEFORE): RegExp => new RegExp(`(?<=${BEFORE[before]})${VERSION}`, 'gm');

/** Every version in the files of a checkout, with its file. */
export const versionsIn = (root: string): { file: string; version: string }[] =>
  PLACES.flatMap(([file, all]) => {
    const text = readFileSync(join(root, file), 'utf8');
    return all.flatMap((before) => [...text.matchAll(patternOf(before))].map(([version]) => ({ file, version })));
  });

/** Sets it everywhere. Throws Error for what is no version. */
export function setVersion(root: string, version: string): void {
  if (!new RegExp(`^${VERSION}$`).test(version)) throw new Error(`${version} is no version`);
  for (const [file, all] of PLACES) {
    const text = readFileSync(join(root, file), 'utf8');
    const changed = all.reduce((so, before) => so.replace(patternOf(before), version), text);
    if (changed !== text) writeFileSync(join(root, file), changed);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version] = process.argv.slice(2);
  if (version !== undefined) setVersion(ROOT, version);
  process.stdout.write(`${versionsIn(ROOT)[0]?.version}\n`);
}
