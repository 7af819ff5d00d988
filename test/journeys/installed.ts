/** Programs beside the project that tests open its files with, where they are installed. */
import { execFileSync } from 'node:child_process';

/** That of the system, which has the packages of Debian. */
export const PYTHON = '/usr/bin/python3';

/** Why a test is skipped: the command of this name fails; false if it succeeds. */
export function without(name: string, ...command: [string, ...string[]]): string | false {
  try {
    execFileSync(command[0], command.slice(1), { stdio: 'ignore' });
    return false;
  } catch {
    return `${name} is not installed`;
  }
}

export const noOffice = without('LibreOffice', 'soffice', '--version');
