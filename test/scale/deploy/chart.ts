/**
 * The chart's objects for some values, by Helm's own template engine: `text/template` of Go. Helm itself and a cluster
 * are not needed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';

const CHART = fileURLToPath(new URL('../../../deploy/helm/daypart/', import.meta.url));
const RENDER = fileURLToPath(new URL('./render.go', import.meta.url));

/** Why a test is skipped that renders the chart; false where Go is installed. */
export const NO_GO = spawnSync('go', ['version']).status === 0 ? false : 'Go is not installed';

// biome-ignore lint/suspicious/noExplicitAny: whatever the templates make
export type Rendered = any;

export interface Chart {
  /** The objects for values besides the chart's own. */
  objects(values?: Record<string, unknown>): Rendered[];
  close(): void;
}

/** Builds the renderer. */
export function openChart(): Chart {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-chart-'));
  const render = join(folder, 'render');
  execFileSync('go', ['build', '-o', render, RENDER], {
    env: { ...process.env, GOCACHE: join(folder, 'cache'), GO111MODULE: 'off' },
  });
  const read = (name: string): Rendered => parseYaml(readFileSync(join(CHART, name), 'utf8'));
  const about = read('Chart.yaml');
  return {
    objects(values = {}) {
      const data = {
        Values: merged(read('values.yaml'), values),
        Release: { Name: 'reports', Namespace: 'default', Service: 'Helm' },
        Chart: { AppVersion: about.appVersion, Name: about.name, Version: about.version },
      };
      const text = execFileSync(render, [join(CHART, 'templates')], { input: JSON.stringify(data), encoding: 'utf8' });
      return text
        .split(/^---$/m)
        .map((part) => parseYaml(part) as Rendered)
        .filter((part) => part !== undefined && part !== null);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Objects are merged as Helm merges values; anything else replaces. */
function merged(one: Rendered, other: Rendered): Rendered {
  const isObject = (value: Rendered): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(one) || !isObject(other)) return other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in other ? merged(one[name], other[name]) : one[name]]),
  );
}
