/** What the console says of figures that are known only in part: comparisons, sources, periods and addresses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, PEACHTREE, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  // Four weeks, and two dates of the four weeks before.
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

describe(named('the console'), { skip }, () => {
  it('says of a comparison that is loaded only in part how many of its dates have data', async () => {
    const { page, faults, close } = await visits.open('/?span=28');
    const note = /2 of 28 dates of .* to .* have data: changes are of 28 dates vs 2\./;
    try {
      for (const path of ['/restaurants', `/restaurants/${PEACHTREE}`, '/labour', '/menu', '/']) {
        await visit(page, `${path}?span=28`);
        assert.match(await page.locator('main').innerText(), note, path);
      }
      // The row of each restaurant, and the line of the other currency.
      const marks = page.locator('main small', { hasText: '28 dates vs 2' });
      assert.equal(await marks.count(), 9);
      await visit(page, '/compare');
      assert.equal(await page.locator('.card > .note', { hasText: note }).count(), 8);

      await visit(page, '/?span=7');
      assert.doesNotMatch(await page.locator('main').innerText(), /dates vs|have data/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});
