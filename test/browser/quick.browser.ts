/**
 * Every screen of the console opens, and the docs call the service. What people do with them is in the other files
 * `*.browser.ts`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { logIn, named, sectionOf, skip } from '../docs/browser.ts';
import { type ConsoleVisits, SCREENS, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  // A week and the day to compare it with.
  if (!skip) visits = await startConsole(9);
});
after(() => visits?.stop());

describe(named('the console'), { skip }, () => {
  it('opens every address cold, breaks no policy and calls no other host', async () => {
    const { page, faults, close } = await visits.open('/');
    const heads: Record<string, string> = {};
    try {
      for (const path of SCREENS) {
        await visit(page, path);
        heads[path] = await page.locator('h1').first().innerText();
        assert.match(await page.title(), / · Daypart$/);
      }
    } finally {
      await close();
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(
      Object.entries(heads).filter(([, head]) => head === '' || head.startsWith('There is no')),
      [],
    );
  });
});

describe(named('the forms of the reference'), { skip }, () => {
  it('get a token, create a report, retrieve it and show its records', async () => {
    const { page, faults, close } = await visits.open('/');
    try {
      await page.goto(`${visits.service.origin}/docs/reference/metrics`);
      await logIn(page);
      const create = sectionOf(page, 'POST', /\/v1\/metrics\/(\{timeRange\}|day)/);
      const retrieve = sectionOf(page, 'GET', /\/v1\/metrics\/\{[a-z]*guid\}/i);

      await create.getByText('Try it').click();
      await create.getByRole('button', { name: 'Send' }).click();
      await create.getByRole('button', { name: 'Retrieve it' }).click();
      await retrieve.getByText('200 OK').waitFor();

      const text = await retrieve.getByLabel('Body of the answer').innerText();
      const records: { restaurantGuid: string }[] = JSON.parse(text);
      assert.equal(new Set(records.map(({ restaurantGuid }) => restaurantGuid)).size, DEMO_RESTAURANTS.length);
      assert.deepEqual(faults, []);
    } finally {
      await close();
    }
  });
});
