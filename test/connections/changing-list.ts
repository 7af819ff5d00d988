/** A list by pages that changes while it is read, in which readers may lose records. */
import type { Cursor, JsonObject } from '@daypart/client/source';
import { type ReadPage, readTail, TAIL_RULES, type TailRules } from '../../packages/service/src/connections/tail.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { hash } from '../upstream/hash.ts';

/** How changes are read, and what may happen meanwhile. */
export interface Variant {
  rules?: Partial<TailRules>;
  /** The cursor is kept before the records are stored. */
  savesFirst?: boolean;
}

interface Version {
  guid: string;
  modified: number;
  /** When lists have it: some versions are seen late. */
  visible: number;
}

const PAGE = 5;
const MINUTE = 60_000;

/** A list by pages over the versions that are visible; each page takes a second and may be followed by a change. */
export class ChangingList {
  readonly #random;
  readonly #seed: string;
  now = Date.UTC(2026, 2, 10);
  #guids = 0;
  #versions: Version[] = [];
  perRequest = 0.1;

  constructor(seed: string) {
    this.#seed = seed;
    this.#random = createRandom(`tail ${seed}`);
  }

  /** A new order, or a change of one that is known. */
  change(): void {
    const isNew = this.#guids === 0 || this.#random.chance(0.5);
    const guid = isNew ? `order-${this.#guids++}` : `order-${Math.floor(this.#random.next() * this.#guids)}`;
    const lateMs = this.#random.chance(0.2) ? this.#random.next() * MINUTE : 0;
    this.#versions.push({ guid, modified: this.now, visible: this.now + lateMs });
  }

  trade(ms: number, changes: number): void {
    for (let at = 0; at < changes; at++) {
      this.now += Math.floor(ms / changes);
      this.change();
    }
  }

  /** The current version of each order that is visible. */
  current(at = this.now): Map<string, Version> {
    const current = new Map<string, Version>();
    for (const version of this.#versions) if (version.visible <= at) current.set(version.guid, version);
    return current;
  }

  pages(from: number, until: number): ReadPage {
    return async (page) => {
      this.now += 1000;
      const all = [...this.current().values()]
        .filter(({ modified }) => modified >= from && modified < until)
        .map((version) => ({ version, key: hash(`${this.#seed} ${version.guid}`) }))
        .sort((one, other) => one.key - other.key)
        .map(({ version }) => ({ guid: version.guid, modifiedDate: version.modified }) as JsonObject);
      if (this.#random.chance(this.perRequest)) this.change();
      return { records: all.slice((page - 1) * PAGE, page * PAGE), isLast: page * PAGE >= all.length };
    };
  }
}

/** Reads for some polls with crashes, then twice when all is quiet; returns how many orders are not as they are. */
async function lost(seed: number, { rules = {}, savesFirst = false }: Variant): Promise<number> {
  const random = createRandom(`crash ${seed}`);
  const list = new ChangingList(String(seed));
  let cursor: Cursor = { until: list.now };
  const stored = new Map<string, number>();
  const used = { ...TAIL_RULES, ...rules };

  async function poll(mayCrash: boolean): Promise<void> {
    const isCrash = (): boolean => mayCrash && random.chance(0.03);
    const pages = readTail(
      () => list.now,
      cursor,
      (from, until) => list.pages(from, until),
      used,
    );
    for await (const page of pages) {
      if (isCrash()) return;
      if (savesFirst && page.records.length > 0) cursor = { until: list.now - used.settleMs };
      if (isCrash()) return;
      for (const { guid, modifiedDate } of page.records)
        stored.set(String(guid), Math.max(stored.get(String(guid)) ?? 0, Number(modifiedDate)));
      if (page.cursor) cursor = page.cursor;
    }
  }
  for (let round = 0; round < 6; round++) {
    list.trade(2 * MINUTE, 12);
    await poll(true);
  }
  list.perRequest = 0;
  for (let round = 0; round < 2; round++) {
    list.now += 2 * MINUTE;
    await poll(false);
  }
  const now = [...list.current(Number.POSITIVE_INFINITY).values()];
  return now.filter(({ guid, modified }) => stored.get(guid) !== modified).length;
}

/** In how many of so many runs anything is lost. */
export async function runsThatLose(variant: Variant, seeds: number): Promise<number> {
  let count = 0;
  for (let seed = 0; seed < seeds; seed++) if ((await lost(seed, variant)) > 0) count++;
  return count;
}
