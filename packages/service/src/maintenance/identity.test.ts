/** The stores of a data folder that belong together or not; every combination is in test/faults/identity.long.ts. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  cutShort,
  FACTS,
  identitiesOf,
  ordersOf,
  put,
  refused,
  started,
  trade,
} from '../../../../test/faults/identity.ts';

describe('the stores of a data folder', () => {
  let all: string;
  /** What the folder `a` had when it was closed. */
  let first: unknown[];
  const folder = (name: string): string => join(all, name);
  before(async () => {
    all = await mkdtemp(join(tmpdir(), 'daypart-identity-'));
    await started(folder('a'), async (stores) => {
      await trade('blue')(stores);
      first = [await identitiesOf(stores), (await stores.ledger.identity())?.epoch];
    });
    await started(folder('b'), trade('red'));
  });
  after(() => rm(all, { recursive: true, force: true }));

  async function copied(name: string): Promise<string> {
    await cp(folder('a'), folder(name), { recursive: true });
    return folder(name);
  }

  it('carry one id, another epoch after every start, and are refused when the facts are of an earlier one', async () => {
    const data = await copied('later');
    let second: unknown[] = [];
    await started(data, async (stores) => {
      second = [await identitiesOf(stores), (await stores.ledger.identity())?.epoch];
    });

    assert.equal(new Set(first[0] as unknown[]).size, 1);
    assert.deepEqual(second[0], first[0]);
    assert.notEqual(second[1], first[1]);
    await put(FACTS, folder('a'), data);
    await refused(data, /the facts are older than the ledger/);
  });

  it('are refused without their ledger or their facts, and none are made', async () => {
    const data = await copied('without');
    await rm(join(data, 'ledger.sqlite'));
    await refused(data, /no ledger \(ledger\.sqlite\) beside the facts/);
    assert.equal(existsSync(join(data, 'ledger.sqlite')), false);

    await rm(data, { recursive: true });
    await copied('without');
    await rm(join(data, 'facts'), { recursive: true });
    await refused(data, /the facts \(facts\/facts\.duckdb\) are missing/);
    assert.equal(existsSync(join(data, 'facts')), false);
  });

  it('are refused beside the facts of another folder', async () => {
    const data = await copied('mixed');
    await put(FACTS, folder('b'), data);

    await refused(data, /the facts belong to another ledger/);
  });

  it('start again after a kill between two of the writes of a start, without results too', async () => {
    const data = await copied('cut');
    const id = await readFile(join(data, 'results', 'identity'), 'utf8');
    await cutShort(data, 1);
    await rm(join(data, 'results'), { recursive: true });

    await started(data, async (stores) => assert.equal(await ordersOf(stores, 1), 1));

    assert.equal(await readFile(join(data, 'results', 'identity'), 'utf8'), id);
  });
});
