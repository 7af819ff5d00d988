/**
 * `node scripts/subjects.ts`, for `npm run check`: names commits whose subjects are not as CONTRIBUTING.md says, of
 * those after the last release (a tag `v…`) and after this check.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUBJECT = /^[a-z][\w-]*(?:, [a-z][\w-]*)*: (\S+) ./;
/** Words with which a statement begins, not a request. */
const NO_VERBS = /^(?:an?|the|all|each|every|no|one|two|some|it|its|this|that|there|these|those|what|which|when|now)$/;
/** `adds`, `added`, `adding`, and nouns such as `laws`. */
const OTHER_FORM = /(?:[^su]s|ed|ing)$/;
const VERBS_ALL_THE_SAME = /^(?:bring|embed|feed|need|ping|seed|shed|shred|speed|string)$/;

/** Why a subject is not `area: imperative`; undefined if it is. */
export function faultOf(subject: string): string | undefined {
  if (/^(?:Merge|Revert) /.test(subject)) return undefined;
  const verb = SUBJECT.exec(subject)?.[1];
  if (verb === undefined) return 'begins with no area and colon, such as "client: …"';
  if (VERBS_ALL_THE_SAME.test(verb)) return undefined;
  if (/^[A-Z]/.test(verb) || NO_VERBS.test(verb) || OTHER_FORM.test(verb))
    return `"${verb}" is no imperative, such as add, say or refuse`;
  return undefined;
}

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '');

/** The subjects to check; none where there is no history. */
function subjects(): string[] {
  try {
    const begin = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/subjects.ts').at(-1);
    if (begin === undefined) return [];
    const [release] = git('tag', '--list', 'v*', '--sort=-creatordate', '--merged', 'HEAD');
    return git('log', '--format=%s', 'HEAD', `^${begin}`, ...(release ? [`^${release}`] : []));
  } catch {
    return [];
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const bad = subjects().flatMap((subject) => {
    const fault = faultOf(subject);
    return fault ? [`${subject}\n  ${fault}`] : [];
  });
  if (bad.length > 0) {
    console.error(`Subjects of commits are not as CONTRIBUTING.md says:\n${bad.join('\n')}`);
    process.exit(1);
  }
}
