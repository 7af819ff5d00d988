/** Rate limits as they are configured and told: CONTRACT 2.5. */

/** Fixed windows begin where their length divides the time since 1970, so several processes agree on them. */
export interface Window {
  /** Calls that it takes. */
  quota: number;
  /** Seconds. */
  seconds: number;
  /** How `RateLimit-Policy` names it within its limit. */
  unit: string;
}

/** `metrics` are days and weeks, `longMetrics` custom spans, months and years. */
export const LIMITS = ['retrieval', 'metrics', 'longMetrics', 'check'] as const;
export type Limit = (typeof LIMITS)[number];

const UNITS: Record<string, Omit<Window, 'quota'>> = {
  s: { seconds: 1, unit: 'second' },
  min: { seconds: 60, unit: 'minute' },
  h: { seconds: 3600, unit: 'hour' },
  day: { seconds: 86_400, unit: 'day' },
};
const MOST = 1_000_000_000;

/** Reads `5/s,30/min`, or `off` as no windows. Throws an Error that says what it may be. */
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
  return windows.sort((one, other) => one.seconds - other.seconds);
}

/** The numbers of the live system. */
export const LIVE_LIMITS: Record<Limit, string> = {
  retrieval: '5/s,30/min',
  metrics: '10/min,60/h',
  longMetrics: '10/h',
  check: '5/min,60/day',
};

/** Ten times as much, since whoever runs the service owns the machine. */
export const GENEROUS_LIMITS: Record<Limit, string> = {
  retrieval: '50/s,300/min',
  metrics: '100/min,600/h',
  longMetrics: '100/h',
  check: '50/min,600/day',
};
