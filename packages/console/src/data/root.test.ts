import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pathInside } from './root.ts';

describe('the base path of the console', () => {
  it('is taken off the paths of the browser', () => {
    const paths = ['/', '/day', '/day/', '/day/reports', '/day/day/menu', '/days', '/menu'];
    assert.deepEqual(
      paths.map((path) => pathInside(path, '/day')),
      [undefined, '/', '/', '/reports', '/day/menu', undefined, undefined],
    );
    assert.deepEqual(
      paths.map((path) => pathInside(path, '')),
      paths,
    );
  });

  it('is left to the router and fetchRoot by all other sources', () => {
    const source = fileURLToPath(new URL('..', import.meta.url));
    const files = readdirSync(source, { recursive: true }).map(String);
    const names = files.filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !/\/(root|router)\.ts$/.test(name));
    assert.ok(names.length > 100);
    // The gate of one-time links puts the same path back.
    const own =
      /fetch\(['"`]\/|location\.(?:pathname(?!\);)|(?:assign|replace)\(['"`]\/)|\$\{location\.origin\}[/$](?!\{(?:BASE|ROOT)\})/;
    assert.deepEqual(
      names.filter((name) => own.test(readFileSync(join(source, name), 'utf8'))),
      [],
    );
  });
});
