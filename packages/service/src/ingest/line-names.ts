/** Names of items. The same few hundred occur in order after order, so what is made from them is remembered. */
import type { LineFact } from '../facts/line.ts';

export type LineNames = Pick<
  LineFact,
  'modifier' | 'item_guid' | 'item_name' | 'group_guid' | 'group_name' | 'menu_guid' | 'menu_name'
>;

export interface RememberedNames extends LineNames {
  /** Different for different names. */
  key: string;
  /** The properties of the names as JSON, without braces. */
  json: string;
}

/** Some 150 items and modifiers of each restaurant whose orders are being read. */
const REMEMBERED = 2000;
/** Longer names are not remembered. Text that was cut would keep the whole text in memory. */
const LONGEST = 200;

/** By the GUID of the item, or its name if it has none. A forgotten entry costs time, not correctness. */
const remembered = new Map<string, RememberedNames>();

/**
 * The names with their key and JSON. An order of four items with two modifiers each has twelve of them, and their keys and JSON took
 * a tenth of the time of reading it.
 */
export function rememberNames(names: LineNames): RememberedNames {
  const hint = names.item_guid ?? names.item_name ?? '';
  const last = remembered.get(hint);
  if (last !== undefined && isSame(last, names)) return last;
  const made = { ...names, key: keyOf(names), json: JSON.stringify(names).slice(1, -1) };
  if (!isShort(names)) return made;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(hint, made);
  return made;
}

const isSame = (a: LineNames, b: LineNames): boolean =>
  a.item_guid === b.item_guid &&
  a.item_name === b.item_name &&
  a.modifier === b.modifier &&
  a.group_guid === b.group_guid &&
  a.group_name === b.group_name &&
  a.menu_guid === b.menu_guid &&
  a.menu_name === b.menu_name;

const isShort = ({ item_name, group_name, menu_name }: LineNames): boolean =>
  [item_name, group_name, menu_name].every((name) => name === null || name.length <= LONGEST);

/** Unambiguous because no name or GUID is empty or contains U+0000. */
const keyOf = ({ modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name }: LineNames): string =>
  `${modifier ? 1 : 0}${item_guid ?? ''}\0${item_name ?? ''}\0${group_guid ?? ''}\0${group_name ?? ''}\0${menu_guid ?? ''}\0${menu_name ?? ''}`;
