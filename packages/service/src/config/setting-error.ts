/** A setting that is unknown, missing or wrong: the message names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
