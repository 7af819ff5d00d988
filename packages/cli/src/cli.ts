/** The program of this package: the commands for reports. */
import { readFileSync } from 'node:fs';
import { MORE_EXITS } from './exit.ts';
import { REPORTS } from './index.ts';
import { main } from './main.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Runs the command that the arguments name, and sets the exit code of the process. */
export const runCli = (args: string[]): Promise<void> =>
  main(
    {
      version,
      sections: [REPORTS],
      notes: [
        'daypart COMMAND --help shows its flags, with examples',
        'daypart --version',
        '',
        `Exit codes: 0 done, 1 failed, 2 misused, ${MORE_EXITS}`,
      ],
    },
    args,
  );
