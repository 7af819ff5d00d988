/** Reads an OpenMetrics exposition strictly by the text format 1.0; throws at the first line that violates it. */
import assert from 'node:assert/strict';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}
export interface Family {
  type: string;
  help: string | undefined;
  samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)(?: [0-9.]+)?$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,|$)/y;
/** What may follow the name of a family, by its type. */
const SUFFIXES: Record<string, string[]> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  summary: ['', '_count', '_sum', '_created'],
  info: ['_info'],
  unknown: [''],
};

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const [, name = '', value = ''] = LABEL.exec(text) ?? assert.fail(`labels: ${text} at ${at}`);
    assert.ok(!(name in labels), `the label ${name} twice`);
    labels[name] = value;
  }
  return labels;
}

/** The grammar takes `inf` and `nan` in any case. */
const readValue = (text: string): number => {
  if (/^nan$/i.test(text)) return Number.NaN;
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text) ?? [];
  const value = sign === undefined ? Number(text) : sign === '-' ? -Infinity : Infinity;
  assert.ok(!Number.isNaN(value), `a value: ${text}`);
  return value;
};

function checkHistogram(name: string, samples: Sample[]): void {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, of] of series) {
    const buckets = of.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => readValue(labels.le ?? 'none'));
    assert.deepEqual(
      bounds,
      [...bounds].sort((one, other) => one - other),
      `${name}${key}: bounds`,
    );
    assert.equal(bounds.at(-1), Infinity, `${name}${key}: +Inf`);
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(
      counts,
      [...counts].sort((one, other) => one - other),
      `${name}${key}: counts add up`,
    );
    assert.equal(of.find((one) => one.name === `${name}_count`)?.value, counts.at(-1), `${name}${key}: count`);
  }
}

/** The families by name. */
export function readOpenMetrics(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n# EOF\n') && text.indexOf('# EOF') === text.length - 6, 'one # EOF, at the end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current = '';
  const familyOf = (name: string): Family => {
    if (name !== current) {
      assert.ok(!families.has(name), `the family ${name} in two places`);
      families.set(name, { type: 'unknown', help: undefined, samples: [] });
      current = name;
    }
    return families.get(name) ?? assert.fail();
  };
  for (const line of text.split('\n').slice(0, -2)) {
    const [, kind, name = '', rest = ''] = new RegExp(`^# (TYPE|HELP|UNIT) (${NAME}) (.*)$`).exec(line) ?? [];
    if (kind) {
      const family = familyOf(name);
      assert.equal(family.samples.length, 0, `${line}: after samples`);
      if (kind === 'TYPE') family.type = rest;
      if (kind === 'HELP') family.help = rest;
      assert.ok(kind !== 'TYPE' || rest in SUFFIXES, line);
      continue;
    }
    const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? assert.fail(`not a line: ${line}`);
    const family = families.get(current) ?? assert.fail(`${line}: before any family`);
    assert.ok(
      SUFFIXES[family.type]?.some((suffix) => sample === current + suffix),
      `${line}: in the ${family.type} ${current}`,
    );
    const series = line.slice(0, line.lastIndexOf(' '));
    assert.ok(!seen.has(series), `${series} twice`);
    seen.add(series);
    family.samples.push({ name: sample, labels: readLabels(labels), value: readValue(value) });
    if (family.type === 'counter') assert.ok(readValue(value) >= 0, line);
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') checkHistogram(name, samples);
  return families;
}
