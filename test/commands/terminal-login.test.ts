/** Stored profiles that are damaged, linked or oddly named, and base URLs that cannot work. */
import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Desk, openDesk } from './desk.ts';
import { json, type Odd, openOdd } from './odd.ts';

describe('stored profiles', () => {
  let odd: Odd;
  let desk: Desk;
  before(async () => {
    odd = await openOdd((_heard, response) => json(response, []));
    desk = await openDesk();
  });
  after(async () => {
    await odd.close();
    await desk.close();
  });
  const fileIn = (name: string): string => join(desk.folder, name, 'daypart/profiles.json');
  const homeIn = (name: string) => ({ XDG_CONFIG_HOME: join(desk.folder, name) });
  const run = (home: string, args: string[]) => desk.run(args, { env: homeIn(home) });
  const login = (home: string, url: string, more: string[] = [], way: 'run' | 'spawn' = 'run') =>
    desk[way](['login', '--url', url, '--client-id', 'c', ...more], { env: homeIn(home), input: 'secret' });
  async function store(home: string, profiles: unknown): Promise<void> {
    await mkdir(join(desk.folder, home, 'daypart'), { recursive: true });
    await writeFile(fileIn(home), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
  }

  it('that are damaged each say how in one sentence, and can be removed', async () => {
    const good = { url: odd.base, clientId: 'c', clientSecret: 's', auth: 'oauth' };
    const broken: [unknown, RegExp][] = [
      [null, /it is not an object/],
      ['x', /it is not an object/],
      [{ ...good, url: 5 }, /its url is not an http or https address/],
      [{ ...good, url: 'http://me:secret@host/v1' }, /its url contains credentials/],
      [{ ...good, clientSecret: undefined }, /it has no clientSecret/],
      [{ ...good, auth: 'magic' }, /its auth is neither oauth nor login/],
    ];
    await store('broken', { good, ...Object.fromEntries(broken.map(([profile], at) => [`b${at}`, profile])) });

    const ended = await Promise.all(broken.map((_, at) => run('broken', ['restaurants', '--profile', `b${at}`])));
    const works = await run('broken', ['restaurants', '--profile', 'good']);
    const listed = await run('broken', ['profiles']);
    const gone = await run('broken', ['logout', '--profile', 'b0']);

    for (const [at, { code, err }] of ended.entries()) {
      assert.equal(code, 1);
      assert.match(err, new RegExp(`^daypart: the stored profile b${at} is broken: ${broken[at]?.[1].source}\\n`));
      assert.equal(err.split('\n').length, 3, err);
    }
    assert.deepEqual([works.code, listed.code, gone.code], [0, 0, 0], works.err + listed.err + gone.err);
    assert.match(listed.out, /\nb4 +broken/);
  });

  it('do not exist under a name that every object has', async () => {
    await store('names', {});

    const ended = await Promise.all(
      ['constructor', '__proto__'].map((name) => run('names', ['logout', '--profile', name])),
    );

    for (const { code, err } of ended) {
      assert.equal(code, 1);
      assert.match(err, /there is no profile/);
    }
  });

  it('in a file that is a link are written to its target', { skip: process.platform === 'win32' }, async () => {
    await store('linked', {});
    await store('real', {});
    await rm(fileIn('linked'));
    await symlink(fileIn('real'), fileIn('linked'));

    const { code } = await login('linked', odd.base);

    assert.deepEqual([code, (await lstat(fileIn('linked'))).isSymbolicLink()], [0, true]);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(fileIn('real'), 'utf8')).profiles), ['default']);
  });

  it('of logins at the same time are all kept', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const all = await Promise.all(names.map((name) => login('together', odd.base, ['--profile', name], 'spawn')));

    for (const { code, err } of all) assert.equal(code, 0, err);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(fileIn('together'), 'utf8')).profiles).sort(), names);
  });

  it('are not made of a base URL that cannot work', async () => {
    const [query, fragment] = await Promise.all([login('no', `${odd.base}?x=1`), login('no', `${odd.base}#f`)]);
    odd.answer = (_heard, response) =>
      void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>');
    const page = await login('no', `${odd.base}/wrong`);
    odd.answer = ({ path }, response) => json(response, { code: 'route_not_found', detail: `no ${path}` }, 404);
    const route = await login('no', `${odd.base}/wrong`);
    odd.answer = ({ path }, response) => json(response, { code: 101, message: `nothing at ${path}` }, 404);
    const listless = await login('yes', odd.base);

    assert.deepEqual([query.code, fragment.code, page.code, route.code, listless.code], [2, 2, 1, 1, 0], listless.err);
    assert.match(query.err, /without a query or a fragment/);
    for (const { err } of [page, route]) assert.match(err, /there is no reporting service at .*\/wrong\n/);
    assert.match(listless.out, /^Logged in to /);
    assert.match((await run('no', ['profiles'])).out, /^No profiles yet/);
  });
});
