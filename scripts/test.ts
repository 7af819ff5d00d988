/** `npm test`: the checks, then every test in one run of Node's own runner, whose closing lines count them. */
import { spawnSync } from 'node:child_process';

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// Arguments choose test files: `npm test -- test/journeys/retrieval.test.ts`.
const chosen = process.argv.slice(2);
if (chosen.length === 0) run('npm', ['run', '--silent', 'check']);
run(process.execPath, [
  '--disable-warning=ExperimentalWarning',
  '--test',
  // Two files at once: what CI's two cores carry. Each file is a process, so journeys cannot disturb each other.
  '--test-concurrency=2',
  '--test-timeout=600000',
  ...(chosen.length > 0 ? chosen : ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']),
]);
