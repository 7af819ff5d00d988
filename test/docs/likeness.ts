/** Whether printed output matches the docs: the same fields in the same order; `…` matches anything. */

const GUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * A text as a pattern: `…` is anything, on a line of its own also no line; every run of digits any other
 * (times, counts, ports); a GUID any other, the same wherever the text repeats it.
 */
function patternOf(text: string): RegExp {
  const guids: string[] = [];
  const guidPart = (guid: string): string => {
    const known = guids.indexOf(guid);
    return known >= 0 ? `\\k<guid${known}>` : `(?<guid${guids.push(guid) - 1}>${GUID})`;
  };
  const parts = text
    .trimEnd()
    .split(new RegExp(`(\\n…(?=\\n)|…|${GUID}|\\d+)`))
    .map((part) => {
      if (part === '…') return '[\\s\\S]*?';
      if (part === '\n…') return '(?:\\n[\\s\\S]*?)?';
      if (new RegExp(`^${GUID}$`).test(part)) return guidPart(part);
      return /^\d/.test(part) ? '\\d+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' +');
    });
  return new RegExp(`^${parts.join('')}$`);
}

/** What differs between two texts; undefined when nothing does. */
export function unlikeText(expected: string, actual: string): string | undefined {
  const trimmed = actual.replaceAll('\r', '').trim();
  return patternOf(expected.trim()).test(trimmed) ? undefined : `it printed\n${trimmed}`;
}

const VARYING = [
  new RegExp(`^${GUID}$`),
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  /^\d{8}$/,
  /^https?:\/\/127\.0\.0\.1:\d+/,
];

function unlikeScalar(expected: unknown, actual: unknown, at: string): string | undefined {
  if (expected === actual) return undefined;
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (VARYING.some((form) => form.test(expected) && form.test(actual))) {
      const path = (text: string): string => text.replace(/^https?:\/\/[^/]+/, '');
      if (!expected.startsWith('http') || path(expected) === path(actual)) return undefined;
    }
    if (expected.includes('…') && patternOf(expected).test(actual)) return undefined;
  }
  return `${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

/** What differs between two values; undefined when nothing does. GUIDs, instants, dates and ports may be others. */
export function unlikeJson(expected: unknown, actual: unknown, at = '/'): string | undefined {
  if (expected === '…') return undefined;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${at} is no list`;
    const open = expected.at(-1) === '…' && expected.length > 0;
    const shown = open ? expected.slice(0, -1) : expected;
    if (open ? actual.length < shown.length : actual.length !== shown.length)
      return `${at} has ${actual.length} entries, not ${shown.length}`;
    for (const [index, item] of shown.entries()) {
      const unlike = unlikeJson(item, actual[index], `${at}${index}/`);
      if (unlike) return unlike;
    }
    return undefined;
  }
  if (typeof expected !== 'object' || expected === null) return unlikeScalar(expected, actual, at);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return `${at} is no object`;
  const open = '…' in expected;
  const names = Object.keys(expected).filter((name) => name !== '…');
  const found = Object.keys(actual).filter((name) => !open || names.includes(name));
  if (names.join() !== found.join()) return `${at} has ${found.join(', ')}, not ${names.join(', ')}`;
  for (const name of names) {
    const unlike = unlikeJson(
      (expected as Record<string, unknown>)[name],
      (actual as Record<string, unknown>)[name],
      `${at}${name}/`,
    );
    if (unlike) return unlike;
  }
  return undefined;
}

/** A bare `…` in JSON, for a value or for more of the same, as a string that a parser accepts. */
const withBareDots = (text: string): string =>
  text
    .replace(/"(?:[^"\\]|\\.)*"|…/g, (part) => (part === '…' ? '"…"' : part))
    .replace(/(,|\{)(\s*)"…"(\s*)\}/g, '$1$2"…": "…"$3}');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares JSON that the docs show with what was printed: all of it, or its last line. */
export function unlikeJsonText(expected: string, actual: string): string | undefined {
  const wanted = parse(withBareDots(expected));
  if (wanted === undefined) return 'what the docs show is no JSON';
  const trimmed = actual.trim();
  const got = parse(trimmed) ?? parse(trimmed.slice(trimmed.lastIndexOf('\n') + 1));
  return got === undefined ? `it printed no JSON:\n${trimmed.slice(0, 2000)}` : unlikeJson(wanted, got);
}

/** Compares an answer of `curl -i`: the status, the headers that are shown (others may be there), the body. */
export function unlikeHttp(expected: string, actual: string): string | undefined {
  const split = (text: string): { head: string[]; body: string } => {
    const [head = '', ...body] = text.replaceAll('\r', '').trim().split('\n\n');
    return { head: head.split('\n'), body: body.join('\n\n') };
  };
  const [wanted, got] = [split(expected), split(actual)];
  for (const [index, line] of wanted.head.entries()) {
    const lines = index === 0 ? got.head.slice(0, 1) : got.head.slice(1);
    const lower = (text: string): string => text.replace(/^[\w-]+:/, (name) => name.toLowerCase());
    if (!lines.some((one) => patternOf(lower(line)).test(lower(one))))
      return `there is no ${line} in\n${got.head.join('\n')}`;
  }
  if (wanted.body === '') return undefined;
  return parse(withBareDots(wanted.body)) === undefined
    ? unlikeText(wanted.body, got.body)
    : unlikeJsonText(wanted.body, got.body);
}
