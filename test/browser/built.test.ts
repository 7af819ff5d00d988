/** The files of the console that users get. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUILT = fileURLToPath(new URL('../../packages/service/static/console/', import.meta.url));

/** Compressed sizes of the built files, by name. */
const sizes = (): Map<string, number> =>
  new Map(readdirSync(BUILT).map((name) => [name, gzipSync(readFileSync(BUILT + name), { level: 9 }).length]));

describe('the built files of the console', () => {
  it('are within their budgets: 50 kB for the first screen, 95 kB of scripts, 8 kB of styles', () => {
    const all = sizes();
    const page = readFileSync(`${BUILT}index.html`, 'utf8');
    const first = [...page.matchAll(/\/console\/([\w-]+\.js)/g)].map(([, name = '']) => name);
    const total = (names: string[]): number => names.reduce((sum, name) => sum + (all.get(name) ?? 0), 0);
    const ending = (text: string): string[] => [...all.keys()].filter((name) => name.endsWith(text));

    assert.ok(first.length >= 1 && total(first) <= 50_000, `${total(first)} of ${first}`);
    assert.ok(total(ending('.js')) <= 95_000, String(total(ending('.js'))));
    // Most people never open these screens.
    const connections = ending('.js').filter((name) => name.startsWith('connections-'));
    assert.ok(connections.length === 1 && !first.includes(connections[0] ?? ''), `${connections}`);
    assert.ok(total(ending('.css')) <= 8000, String(total(ending('.css'))));
  });

  it('have no inline script or style, and no source of ours writes markup from text', () => {
    const page = readFileSync(`${BUILT}index.html`, 'utf8');
    assert.doesNotMatch(page, /<style|<script(?![^>]* src=)|style="/);
    const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));
    const writers = readdirSync(source, { recursive: true })
      .map(String)
      .filter(
        (name) =>
          /\.tsx?$/.test(name) &&
          /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML/.test(readFileSync(source + name, 'utf8')),
      );
    assert.deepEqual(writers, []);
  });
});
