/**
 * Test files that share a process: loading the service costs a file more than many of its tests. Only those whose text
 * shows that they change nothing of the process, start none and kill none but the engines of services of their own;
 * every other file has a process of its own.
 * Started with files, this is the process.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** A journey has a service to start and a law an engine; of the others many are a few functions. */
const KINDS = [
  { of: /(?:^|\/)test\/laws\/[^/]+\.test\.\w+$/, most: 8 },
  { of: /(?:^|\/)test\/journeys\/[^/]+\.(?:test|long)\.\w+$/, most: 8 },
  { of: /(?:^|\/)test\/(?:connections|upstream)\/[^/]+\.(?:test|long)\.\w+$/, most: 10 },
  { of: /(?:^|\/)test\/(?:(?!commands\/)\w+\/)?[^/]+\.test\.\w+$/, most: 10 },
  { of: /(?:^|\/)packages\/.*\.test\.\w+$/, most: 40 },
];
/**
 * What a file has that needs a process of its own: anything of `process` but its platform and variables that are read
 * with a default, timers that are replaced, hooks of the whole file, which would be those of all files, other
 * processes, threads, and commands, which have a working directory.
 */
const ALONE =
  /\bprocess\.(?!ts\b|platform\b|env\.\w+ \?\?)\w|\bmock\b|^(?:before|after)(?:Each)?\(|child_process|worker_threads|globalThis|commands\/|node:v8/m;

/**
 * The files in the groups that share a process, in their order; a group of one has its own, as those of `long` have.
 */
export function groupsOf(files: readonly string[], long: readonly string[] = []): string[][] {
  const groups: string[][] = [];
  const open = new Map<(typeof KINDS)[number], string[]>();
  for (const file of files) {
    const kind = KINDS.find(({ of }) => of.test(file));
    const group = kind && open.get(kind);
    if (!kind || long.includes(file) || ALONE.test(readFileSync(file, 'utf8'))) groups.push([file]);
    else if (group && group.length < kind.most) group.push(file);
    else {
      const begun = [file];
      open.set(kind, begun);
      groups.push(begun);
    }
  }
  return groups;
}

if (import.meta.main) for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
