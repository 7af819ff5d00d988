/** What every store of facts must do with files: render a snapshot in each format. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EngineGone } from '../../packages/service/src/facts/errors.ts';
import type { Form, Format } from '../../packages/service/src/facts/form.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact, shiftFact } from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };

/** Runs the suite against one opened store. */
export function factsFormsConformance(name: string, openFacts: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: forms`, () => {
    let opened: OpenedFacts;
    const at = (file: string): string => join(opened.folder, file);
    before(async () => {
      opened = await openFacts();
    });
    after(() => opened.close());

    it('gathers reports that are asked for at once as each is alone: totals, records and the form in both dialects', async () => {
      const shared = orderFact({ dining_name: 'Bar', gross_cents: 1234 });
      for (const id of [31, 32, 33]) {
        const order = { ...shared, guests: id, status: id === 33 ? ('excluded' as const) : shared.status };
        await mergeLines(opened, id, { orders: [order], checks: [checkFact(order)], shifts: [shiftFact()] });
      }
      const scopeOf = (id: number) => ({
        id,
        guid: `b1500000-0000-4000-8000-${id}`.padEnd(36, '0'),
        name: `"No." ${id}`,
        timeZone: 'America/New_York',
        closeoutHour: 4,
        currencyCode: 'USD',
      });
      const requested = [[31], [32], [31, 32], [33], [33, 31]] as const;
      for (const kind of ['metrics', 'check', 'labor', 'guest-payments'] as const) {
        const aggregate = 'DAY' as const;
        const formOf = (index: number): Form => ({
          kind,
          groups: [],
          aggregate,
          format: 'json',
          names: false,
          dialect: index % 2 === 0 ? 'reference' : 'live',
        });
        const gather = async (ids: readonly number[], index: number) => {
          const query = { kind, groups: [], aggregate, startDate: 20260301, endDate: 20260331 };
          const first = { form: formOf(index), file: at(`form-${index}`) };
          const restaurants = ids.map(scopeOf);
          const gathered = await opened.facts.gather({ ...query, restaurants }, at(`rows-${index}`), BOUNDS, first);
          await opened.facts.render(at(`rows-${index}`), first.form, at(`later-${index}`), BOUNDS);
          const later = await readFile(at(`later-${index}`), 'utf8');
          const form = gathered.rendered ? (gathered.text ?? (await readFile(first.file, 'utf8'))) : later;
          assert.ok(form === later, `${kind} of ${ids}: the form is not what is rendered`);
          return { rows: gathered.rows, totals: gathered.totals, later };
        };
        const together = await Promise.all(requested.map((ids, index) => gather(ids, index)));
        const alone = [];
        for (const [index, ids] of requested.entries()) alone.push(await gather(ids, index));

        assert.deepEqual(together, alone);
      }
    });

    it('writes the form that is asked for with a report as it renders it from the snapshot', async () => {
      const order = orderFact({ dining_name: 'Bar' });
      await mergeLines(opened, 2, { orders: [order], checks: [checkFact(order)] });
      const scopeOf = (id: number) => ({
        id,
        guid: `b1500000-0000-4000-8000-${id}`.padEnd(36, '0'),
        name: `No. ${id}`,
      });
      const others = (count: number) => Array.from({ length: count }, (_, index) => 1000 + index);
      const scopes = [[2], [2, ...others(40)], [2, ...others(900)], [999]];
      const written: Record<string, boolean[]> = { metrics: [], check: [] };
      for (const kind of ['metrics', 'check'] as const) {
        const bodies: string[] = [];
        for (const ids of scopes) {
          const restaurants = ids.map((id) => ({
            ...scopeOf(id),
            timeZone: 'America/New_York',
            closeoutHour: 4,
            currencyCode: id % 2 ? 'USD' : null,
          }));
          const groups = kind === 'check' ? [] : ['DINING_OPTION'];
          const query: Omit<GatherQuery, 'restaurants'> = {
            kind,
            groups,
            aggregate: 'DAY',
            startDate: 20260301,
            endDate: 20260331,
          };
          const form: Form = {
            kind,
            groups,
            aggregate: 'DAY',
            format: 'json',
            dialect: 'reference',
            names: false,
          };

          const first = { form, file: at('first') };
          const gathered = await opened.facts.gather({ ...query, restaurants }, at('rows'), BOUNDS, first);
          await opened.facts.render(at('rows'), form, at('later'), BOUNDS);

          const later = await readFile(at('later'), 'utf8');
          if (gathered.rendered) assert.equal(gathered.text ?? (await readFile(first.file, 'utf8')), later);
          assert.equal(JSON.parse(later).length, gathered.rows);
          bodies.push(later);
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
        id,
        guid: `b1500000-0000-4000-8000-0000000000${id}`,
        name: `No. ${id}`,
        timeZone: 'America/New_York',
        closeoutHour: 4,
        currencyCode: id === 24 ? 'EUR' : 'USD',
      });
      const requested = [[21], [22], [23, 21], [], [24, 22], [25], [21]];
      for (const kind of ['metrics', 'check'] as const) {
        const groups = kind === 'check' ? [] : ['DINING_OPTION'];
        const form: Form = { kind, groups, aggregate: 'DAY', format: 'json', dialect: 'reference', names: true };
        const gather = async (wanted: number[], name: string) => {
          const query: GatherQuery = {
            kind,
            groups,
            aggregate: 'DAY',
            startDate: 20260301,
            endDate: 20260331,
            restaurants: wanted.map(scopeOf),
          };
          const gathered = await opened.facts.gather(query, at(`${name}.parquet`), BOUNDS, { form, file: at(name) });
          await opened.facts.render(at(`${name}.parquet`), form, at(`${name}-later`), BOUNDS);
          const first = gathered.text ?? (await readFile(at(name), 'utf8'));
          const bodies = [first, await readFile(at(`${name}-later`), 'utf8')];
          return { bodies, rows: gathered.rows, totals: gathered.totals, asOf: gathered.asOf };
        };
        const alone: Awaited<ReturnType<typeof gather>>[] = [];
        for (const [index, wanted] of requested.entries()) alone.push(await gather(wanted, `alone-${index}`));

        const together = await Promise.all(requested.map((wanted, index) => gather(wanted, `together-${index}`)));

        const of = (all: typeof alone) => all.map(({ bodies, rows, totals }) => ({ bodies, rows, totals }));
        assert.deepEqual(of(together), of(alone));
        // One transaction for several of them: else nothing was tried.
        assert.ok(new Set(together.map(({ asOf }) => asOf)).size < requested.length - 1);
      }
    });

    it('cancels one of the small reports that wait together, and no other', async () => {
      const query: GatherQuery = {
        kind: 'metrics',
        groups: [],
        aggregate: 'DAY',
        startDate: 20260301,
        endDate: 20260331,
        restaurants: [
          {
            id: 21,
            guid: 'b1500000-0000-4000-8000-000000000021',
            name: 'No. 21',
            timeZone: 'America/New_York',
            closeoutHour: 4,
            currencyCode: null,
          },
        ],
      };
      const stop = new AbortController();
      const gathers = [0, 1, 2, 3, 4].map((index) =>
        opened.facts.gather(query, at(`${index}.parquet`), index === 3 ? { ...BOUNDS, signal: stop.signal } : BOUNDS),
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
      const restaurants = [
        { id: 1, guid, name: 'Bistro', timeZone: 'America/New_York', closeoutHour: 4, currencyCode: 'USD' },
      ];
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
  });
}
