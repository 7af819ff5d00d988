/**
 * `npm run torture -- kills 300`: one of the tortures for that many seconds. Without arguments, each for a short time.
 */
import { errors } from './errors.ts';
import { fuzz } from './fuzz.ts';
import { kills } from './kills.ts';
import { restore } from './restore.ts';
import { soak } from './soak.ts';

interface Torture {
  run: (length: number, tell: (line: string) => void) => Promise<string>;
  /** What is done without a length. */
  short: number;
  unit: string;
}

const TORTURES: Record<string, Torture> = {
  kills: { run: kills, short: 10, unit: 'kills of each process' },
  errors: { run: errors, short: 16, unit: 'errors of writes (strace is needed)' },
  fuzz: { run: fuzz, short: 20_000, unit: 'requests' },
  soak: { run: soak, short: 1, unit: 'minutes' },
  restore: { run: restore, short: 1, unit: 'backups' },
};

const [name, length, ...rest] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(TORTURES) : [name];
if (rest.length > 0 || !chosen.every((one) => one in TORTURES) || (length !== undefined && !/^\d+$/.test(length))) {
  const lines = Object.entries(TORTURES).map(([one, { short, unit }]) => `  ${one} N   ${unit} (${short})`);
  process.stderr.write(`npm run torture -- NAME [N]\n${lines.join('\n')}\n`);
  process.exit(2);
}
for (const one of chosen) {
  const torture = TORTURES[one];
  if (!torture) continue;
  const began = performance.now();
  try {
    const told = await torture.run(Number(length ?? torture.short), (line) =>
      process.stdout.write(`${one}: ${line}\n`),
    );
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    process.stdout.write(`${one}: ${told}; ${minutes} minutes\n`);
  } catch (error) {
    process.stderr.write(`${one}: FAILED: ${(error as Error).stack}\n`);
    process.exit(1);
  }
}
