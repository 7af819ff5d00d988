/** What a real browser does with the cookies of two services on one host. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { CHROMIUM, named, skip } from '../docs/browser.ts';
import { NOW, type Running, startJourney } from './service.ts';

/** Signs in on a page of the service; answers the status of the sign-in, and of the token after it. */
async function signIn(page: Page, running: Running): Promise<number[]> {
  const { id, secret } = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
  await page.goto(`${running.service.origin}/version`);
  return await page.evaluate(
    async (credentials) => {
      const headers = { 'content-type': 'application/json' };
      const post = (path: string, body: object) => fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      const signedIn = await post('/session', credentials);
      return [signedIn.status, (await post('/session/token', {})).status];
    },
    { clientId: id, clientSecret: secret },
  );
}
const who = (page: Page): Promise<number> => page.evaluate(async () => (await fetch('/session')).status);

it(named('two services on one host keep their sessions apart, and neither uses the other’s'), { skip }, async (t) => {
  const [own, other] = [await startJourney(), await startJourney()];
  t.after(() => Promise.all([own.stop(), other.stop()]));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  const context = await browser.newContext();
  const [ownPage, otherPage] = [await context.newPage(), await context.newPage()];

  assert.deepEqual(await signIn(ownPage, own), [204, 200]);
  assert.deepEqual(await signIn(otherPage, other), [204, 200]);
  assert.deepEqual([await who(ownPage), await who(otherPage)], [200, 200]);

  const cookies = await context.cookies(`${own.service.origin}/session`);
  const ports = [own, other].map(({ service }) => `daypart_${new URL(service.origin).port}`);
  assert.deepEqual(cookies.map(({ name }) => name).sort(), ports.sort());
  for (const { httpOnly, sameSite, path } of cookies)
    assert.deepEqual([httpOnly, sameSite, path], [true, 'Strict', '/session']);
  assert.equal(await ownPage.evaluate(() => Object(globalThis).document.cookie), '');

  // Another port is the same site, where browsers send the cookie: the service refuses the request.
  const token = `${own.service.origin}/session/token`;
  const refused = otherPage.waitForResponse(token);
  await otherPage.evaluate(
    (url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).catch(() => undefined),
    token,
  );
  assert.equal((await refused).status(), 403);
  assert.equal(await who(ownPage), 200);
});
