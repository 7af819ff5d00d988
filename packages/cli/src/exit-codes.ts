/** Exit codes, apart from what ends with them: the help needs no client of the service. */

/** The exit codes; docs/terminal.md and `--help` list them. */
export const EXIT = { done: 0, failed: 1, misused: 2, refused: 3, noReport: 4, notYet: 5, interrupted: 130 } as const;

/** Those that only the commands for reports have, in words. */
export const MORE_EXITS = '3 credentials refused, 4 no such report, 5 not ready or unreachable, 130 interrupted';

/** The line about them in the help of these commands. */
export const EXIT_NOTE = `Exit codes: 0 done, 1 failed, 2 misused, ${MORE_EXITS}.`;
