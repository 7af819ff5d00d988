/** Misuse of the command: reported on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
