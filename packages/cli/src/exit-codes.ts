/** Exit codes, in a file of their own so that the help does not load the client. */

/** The exit codes; docs/terminal.md and `--help` list them. */
export const EXIT = { done: 0, failed: 1, misused: 2, refused: 3, noReport: 4, notYet: 5, interrupted: 130 } as const;

/** The codes that only the commands for reports have, in words. */
export const MORE_EXITS = '3 credentials refused, 4 no such report, 5 not ready or unreachable, 130 interrupted';

/** The line about them in the help of these commands. */
export const EXIT_NOTE = `Exit codes: 0 done, 1 failed, 2 misused, ${MORE_EXITS}.`;
