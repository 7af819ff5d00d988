/** The windows of rate limits as they are configured: docs/contract.md#rate-limits. */

/** Windows are fixed: they begin at multiples of their length since 1970, so that several processes agree on them. */
export interface Window {
  /** How many calls are allowed in it. */
  quota: number;
  /** Length in seconds. */
  seconds: number;
  /** Its name in `RateLimit-Policy`, within its limit. */
  unit: string;
}

const UNITS: Record<string, Omit<Window, 'quota'>> = {
  s: { seconds: 1, unit: 'second' },
  min: { seconds: 60, unit: 'minute' },
  h: { seconds: 3600, unit: 'hour' },
  day: { seconds: 86_400, unit: 'day' },
};
const MOST = 1_000_000_000;

/** Parses `5/s,30/min`, or `off` for no windows. Throws an Error that says what is allowed. */
export function readWindows(text: string): Window[] {
  if (text === 'off') return [];
  const windows = text.split(',').map((part): Window => {
    const [, digits = '', name = ''] = /^\s*(\d{1,10})\/(\w+)\s*$/.exec(part) ?? [];
    const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
    const quota = Number(digits);
    if (!unit || quota < 1 || quota > MOST)
      throw new Error('must be calls per s, min, h or day such as 5/s,30/min, or off');
    return { quota, ...unit };
  });
  if (new Set(windows.map(({ seconds }) => seconds)).size < windows.length)
    throw new Error('must name each of s, min, h and day once at most');
  return windows.sort((a, b) => a.seconds - b.seconds);
}
