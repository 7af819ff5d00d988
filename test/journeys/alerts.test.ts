/**
 * The alerts and the dashboard of deploy/: they ask for metrics and labels that the service has, and the docs explain
 * each alert.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Family, readOpenMetrics } from './openmetrics.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const ROOT = new URL('../../', import.meta.url);
const PROMETHEUS = fileURLToPath(new URL('deploy/prometheus/', ROOT));
/** Of Prometheus itself, for every target. */
const OF_PROMETHEUS = new Set(['up']);
const SELECTOR = /\b((?:daypart|nodejs|process)_\w+|up)(?:\{([^}]*)\})?/g;

const text = (path: string): Promise<string> => readFile(new URL(path, ROOT), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Every metric that an expression selects, with the labels that it compares. */
function selected(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(SELECTOR)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  }));
}

describe('the alerts and the dashboard', () => {
  let running: Running;
  let families: Map<string, Family>;
  before(async () => {
    running = await startJourney({ metricsPort: 0 });
    const token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310 });
    await running.call('GET', `/metrics/${guid}?format=csv`, { token });
    const answer = await fetch(`http://127.0.0.1:${running.service.metricsPort}/metrics`);
    families = readOpenMetrics(await answer.text());
  });
  after(() => running.stop());

  /** What is asked for and not there: the metric, or a label of it. */
  function missing(expressions: string[]): string[] {
    const samples = new Map<string, Set<string>>();
    for (const [family, { samples: all }] of families) {
      samples.set(family, samples.get(family) ?? new Set());
      for (const { name, labels } of all)
        samples.set(name, new Set([...(samples.get(name) ?? []), ...Object.keys(labels)]));
    }
    // A counter without a sample yet is a family without its suffix.
    const find = (name: string) => samples.get(name) ?? samples.get(name.replace(/_(total|bucket|count|sum)$/, ''));
    return expressions.flatMap(selected).flatMap(({ name, labels }) => {
      if (OF_PROMETHEUS.has(name)) return [];
      const known = find(name);
      if (!known) return [name];
      const own = labels.filter((label) => label !== 'job' && label !== 'instance');
      return known.size === 0 ? [] : own.filter((label) => !known.has(label)).map((label) => `${name}{${label}}`);
    });
  }

  it('ask for metrics that the service has', async () => {
    const rules = await text('deploy/prometheus/daypart.rules.yml');
    const dashboard = JSON.parse(await text('deploy/grafana/daypart.json'));
    const panels: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );

    assert.deepEqual(missing([rules.replace(/^ +(?:description|summary):.*$/gm, '')]), []);
    assert.deepEqual(missing(panels), []);
    assert.ok(panels.length > 15);
    assert.deepEqual(missing(['daypart_nothing_total', 'daypart_reports{stage="x"}']), [
      'daypart_nothing_total',
      'daypart_reports{stage}',
    ]);
  });

  it('are each explained in docs/operations.md', async () => {
    const named = [...(await text('deploy/prometheus/daypart.rules.yml')).matchAll(/alert: (\w+)/g)].map(([, n]) => n);
    const explained = [...(await text('docs/operations.md')).matchAll(/^\| `(Daypart\w+)` \|/gm)].map(([, n]) => n);
    assert.deepEqual(explained, named);
  });

  it('pass the tests of promtool', { skip: !hasPromtool && 'promtool (Debian: prometheus) is not installed' }, () => {
    for (const args of [
      ['check', 'rules', 'daypart.rules.yml'],
      ['test', 'rules', 'daypart.rules.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: PROMETHEUS, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
  });
});
