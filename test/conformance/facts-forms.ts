/** What every store of facts must do with files: render a snapshot in each format, code and digest them. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Coding, Form, Format, GatherQuery } from '../../packages/service/src/facts/facts.ts';
import { EngineGone, EngineTimeout } from '../../packages/service/src/facts/facts.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact } from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };
const DECODERS: Record<Coding, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('base64');

/** Runs the suite against one opened store. */
export function factsFormsConformance(name: string, openFacts: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: forms`, () => {
    let opened: OpenedFacts;
    const at = (file: string): string => join(opened.folder, file);
    before(async () => {
      opened = await openFacts();
    });
    after(() => opened.close());

    it('writes the form that is asked for with a report as it renders it from the snapshot', async () => {
      const order = orderFact({ dining_name: 'Bar' });
      await mergeLines(opened, 2, { orders: [order], checks: [checkFact(order)] });
      const scopeOf = (id: number) => ({
        id,
        guid: `b1500000-0000-4000-8000-${id}`.padEnd(36, '0'),
        name: `No. ${id}`,
      });
      const others = (count: number) => Array.from({ length: count }, (_, place) => 1000 + place);
      const scopes = [[2], [2, ...others(40)], [2, ...others(900)], [999]];
      const written: Record<string, boolean[]> = { metrics: [], check: [] };
      for (const kind of ['metrics', 'check'] as const) {
        const bodies: string[] = [];
        for (const ids of scopes) {
          const restaurants = ids.map((id) => ({
            ...scopeOf(id),
            closeoutHour: 4,
            currencyCode: id % 2 ? 'USD' : null,
          }));
          const groups = kind === 'check' ? [] : ['DINING_OPTION'];
          const query: Omit<GatherQuery, 'restaurants'> = {
            ...{ kind, groups, aggregate: 'DAY', startDate: 20260301, endDate: 20260331 },
          };
          const form: Form = {
            ...{ kind, groups, aggregate: 'DAY', format: 'json', dialect: 'reference', names: false },
          };

          const first = { form, file: at('first') };
          const gathered = await opened.facts.gather({ ...query, restaurants }, at('rows'), BOUNDS, first);
          await opened.facts.render(at('rows'), form, at('later'), BOUNDS);

          const later = await readFile(at('later'));
          if (gathered.rendered) assert.deepEqual(await readFile(first.file), later);
          assert.equal(JSON.parse(later.toString()).length, gathered.rows);
          bodies.push(later.toString());
          written[kind]?.push(gathered.rendered);
        }
        assert.notEqual(bodies[0], '[]');
        assert.deepEqual(bodies.slice(1), [bodies[0], bodies[0], '[]']);
      }
      // Else only one of the two ways was tried.
      assert.deepEqual(written, { metrics: [true, true, false, true], check: [true, false, false, true] });
    });

    it('gathers small reports that wait together as it gathers each alone', async () => {
      const ids = [21, 22, 23, 24];
      for (const id of ids) {
        const order = orderFact({ dining_name: `Bar ${id}`, gross_cents: 1000 + id });
        await mergeLines(opened, id, { orders: [order], checks: [checkFact(order, { total_cents: id })] });
      }
      const scopeOf = (id: number) => ({
        ...{ id, guid: `b1500000-0000-4000-8000-0000000000${id}`, name: `No. ${id}`, closeoutHour: 4 },
        currencyCode: id === 24 ? 'EUR' : 'USD',
      });
      const asked = [[21], [22], [23, 21], [], [24, 22], [25], [21]];
      for (const kind of ['metrics', 'check'] as const) {
        const groups = kind === 'check' ? [] : ['DINING_OPTION'];
        const form: Form = { ...{ kind, groups, aggregate: 'DAY', format: 'json', dialect: 'reference', names: true } };
        const gather = async (wanted: number[], name: string) => {
          const query: GatherQuery = {
            ...{ kind, groups, aggregate: 'DAY', startDate: 20260301, endDate: 20260331 },
            restaurants: wanted.map(scopeOf),
          };
          const gathered = await opened.facts.gather(query, at(`${name}.parquet`), BOUNDS, { form, file: at(name) });
          await opened.facts.render(at(`${name}.parquet`), form, at(`${name}-later`), BOUNDS);
          const bodies = await Promise.all([name, `${name}-later`].map((file) => readFile(at(file), 'utf8')));
          return { bodies, rows: gathered.rows, totals: gathered.totals, asOf: gathered.asOf };
        };
        const alone: Awaited<ReturnType<typeof gather>>[] = [];
        for (const [place, wanted] of asked.entries()) alone.push(await gather(wanted, `alone-${place}`));

        const together = await Promise.all(asked.map((wanted, place) => gather(wanted, `together-${place}`)));

        const of = (all: typeof alone) => all.map(({ bodies, rows, totals }) => ({ bodies, rows, totals }));
        assert.deepEqual(of(together), of(alone));
        // One transaction for several of them: else nothing was tried.
        assert.ok(new Set(together.map(({ asOf }) => asOf)).size < asked.length - 1);
      }
    });

    it('calls off one of the small reports that wait together, and no other', async () => {
      const query: GatherQuery = {
        ...{ kind: 'metrics', groups: [], aggregate: 'DAY', startDate: 20260301, endDate: 20260331 },
        restaurants: [
          { id: 21, guid: 'b1500000-0000-4000-8000-000000000021', name: 'No. 21', closeoutHour: 4, currencyCode: null },
        ],
      };
      const stop = new AbortController();
      const gathers = [0, 1, 2, 3, 4].map((place) =>
        opened.facts.gather(query, at(`${place}.parquet`), place === 3 ? { ...BOUNDS, signal: stop.signal } : BOUNDS),
      );

      stop.abort();

      const ended = await Promise.allSettled(gathers);
      const states = ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'];
      assert.deepEqual(
        ended.map(({ status }) => status),
        states,
      );
      assert.ok(ended[3]?.status === 'rejected' && ended[3].reason instanceof EngineGone);
    });

    it('renders a snapshot in each format', async () => {
      await mergeLines(opened, 1, { orders: [orderFact({ dining_name: '+1' })] });
      const guid = 'b1500000-0000-4000-8000-000000000001';
      const restaurants = [{ id: 1, guid, name: 'Bistro', closeoutHour: 4, currencyCode: 'USD' }];
      const query = { kind: 'metrics', groups: ['DINING_OPTION'], aggregate: 'DAY' } as const;
      const span = { startDate: 20260101, endDate: 20261231 };
      await opened.facts.gather({ ...query, groups: [...query.groups], restaurants, ...span }, at('snapshot'), BOUNDS);

      const rendered = async (format: Format): Promise<Buffer> => {
        const form: Form = { ...query, groups: [...query.groups], format, dialect: 'reference', names: false };
        await opened.facts.render(at('snapshot'), form, at(format), BOUNDS);
        return await readFile(at(format));
      };

      const [row] = JSON.parse((await rendered('json')).toString());
      assert.deepEqual([row.diningOption, row.netSalesAmount, row.orderSource], ['+1', 9, null]);
      assert.deepEqual(JSON.parse((await rendered('ndjson')).toString()), row);
      const [head, line, end] = (await rendered('csv')).toString().split('\r\n');
      assert.equal(head, Object.keys(row).join());
      assert.match(line ?? '', /,9\.00,10\.00,1\.00,0\.00,0\.00,9\.00,,'\+1,,,0\.00,0\.00,$/);
      assert.equal(end, '');
      assert.equal((await rendered('parquet')).subarray(0, 4).toString(), 'PAR1');
    });

    it('codes a file and tells what came of it', async () => {
      const body = Buffer.concat([Buffer.from('{"a":1}\n'.repeat(200_000)), randomBytes(300_000)]);
      await writeFile(at('plain'), body);

      for (const [coding, decode] of Object.entries(DECODERS)) {
        const to = at(`plain.${coding}`);
        const pressed = await opened.facts.press(at('plain'), { coding: coding as Coding, to }, BOUNDS);

        const coded = await readFile(to);
        assert.deepEqual(pressed, { bytes: coded.length, sha256: sha256(coded) });
        assert.ok(coded.length < body.length / 3);
        assert.deepEqual(decode(coded), body);
      }
      assert.deepEqual(await opened.facts.digest(at('plain'), BOUNDS), { bytes: body.length, sha256: sha256(body) });
    });

    it('stops coding what is called off or takes too long, and codes what waited behind it', async () => {
      await writeFile(at('long'), randomBytes(64 * 1024 * 1024));
      await writeFile(at('short'), 'short');
      const leaving = new AbortController();
      const order = (to: string) => ({ coding: 'gzip', to: at(to) }) as const;

      const long = opened.facts.press(at('long'), order('long.gz'), { ...BOUNDS, signal: leaving.signal });
      const late = assert.rejects(opened.facts.press(at('long'), order('late.gz'), { deadlineMs: 1 }), EngineTimeout);
      const short = opened.facts.press(at('short'), order('short.gz'), BOUNDS);
      setTimeout(() => leaving.abort(), 50);

      await assert.rejects(long, EngineGone);
      await late;
      assert.ok((await short).bytes > 0);
      assert.equal(existsSync(at('long.gz')), false, 'it was coded to its end');
      assert.equal(gunzipSync(await readFile(at('short.gz'))).toString(), 'short');
    });

    it('goes on coding after a file that is not there', async () => {
      await assert.rejects(opened.facts.press(at('none'), { coding: 'br', to: at('none.br') }, BOUNDS), /ENOENT/);

      await writeFile(at('there'), 'there');
      assert.equal((await opened.facts.digest(at('there'), BOUNDS)).bytes, 5);
    });
  });
}
