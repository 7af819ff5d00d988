/**
 * Names of items. The same few hundred occur in order after order, so what is read and made from them is remembered.
 */
import type { LineFact } from '../facts/line.ts';
import { cutText, maybeGuid, maybeObject, type Source } from './source.ts';

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
/** Longer texts are not remembered, because of the memory that they take. */
const LONGEST = 200;

/** What names were read from. */
interface SourceNames {
  modifier: boolean;
  /** Whether its GUID is ignored, because it is free text. */
  isFree: boolean;
  item: string;
  name: string | null;
  group: string | null;
  groupName: string | null;
  menu: string | null;
  menuName: string | null;
}

/** By the GUID of the item as it was sent. A forgotten entry costs time, not correctness. */
const remembered = new Map<string, SourceNames & { names: RememberedNames }>();

/**
 * The names of a selection or modifier, with their key and JSON; `at` is its pointer, `type` its selectionType. Free
 * text is identified by its text alone, and a modifier has no group. Throws Rejection for a value of a wrong type.
 *
 * An order of four items with two modifiers each has twelve of them. Keys and JSON took a tenth of the time of reading
 * it, and checking texts that had been checked in the order before took another tenth.
 */
export function namesOf(source: Source, at: string, type: string | null, modifier: boolean): RememberedNames {
  const isFree = modifier && type === 'SPECIAL_REQUEST';
  const sent = guidSent(source.item);
  const known = sent ? remembered.get(sent) : undefined;
  if (known !== undefined && isSame(known, source, modifier, isFree)) return known.names;

  const item = maybeObject(source.item, at, 'item');
  const group = modifier ? undefined : maybeObject(source.itemGroup, at, 'itemGroup');
  const menu = modifier ? undefined : maybeObject(source.menu, at, 'menu');
  const guid = maybeGuid(item, `${at}/item`);
  const names: LineNames = {
    modifier,
    item_guid: isFree ? null : guid,
    item_name: cutText(source.displayName, at, 'displayName'),
    group_guid: maybeGuid(group, `${at}/itemGroup`),
    group_name: cutText(group?.name, `${at}/itemGroup`, 'name'),
    menu_guid: maybeGuid(menu, `${at}/menu`),
    menu_name: cutText(menu?.name, `${at}/menu`, 'name'),
  };
  const made = { ...names, key: keyOf(names), json: JSON.stringify(names).slice(1, -1) };
  if (sent && hasGuid(group) && hasGuid(menu)) {
    remember({ ...textsOf(source, sent, group, menu), modifier, isFree, names: made });
  }
  return made;
}

/** The GUID of a reference as it was sent; null without a reference, undefined if it has to be read to find out. */
function guidSent(reference: unknown): string | null | undefined {
  if (reference === undefined || reference === null) return null;
  if (typeof reference !== 'object') return undefined;
  const { guid } = reference as Source;
  return typeof guid === 'string' ? guid : undefined;
}

/** False for a reference without a GUID, whose name would be taken for that of no reference. */
const hasGuid = (reference: Source | undefined): boolean =>
  reference === undefined || guidSent(reference) !== undefined;

/**
 * Whether the names were read from the same texts, all of them of the right type. The GUID of the item is known to be
 * the same.
 */
function isSame(known: SourceNames, source: Source, modifier: boolean, isFree: boolean): boolean {
  return (
    known.modifier === modifier &&
    known.isFree === isFree &&
    known.name === (source.displayName ?? null) &&
    (modifier ||
      (isSameReference(source.itemGroup, known.group, known.groupName) &&
        isSameReference(source.menu, known.menu, known.menuName)))
  );
}

const isSameReference = (reference: unknown, guid: string | null, name: string | null): boolean =>
  guidSent(reference) === guid && (guid === null || ((reference as Source).name ?? null) === name);

type Texts = Omit<SourceNames, 'modifier' | 'isFree'>;

/** The texts of a source that was read, so that they are texts. */
const textsOf = (source: Source, item: string, group: Source | undefined, menu: Source | undefined): Texts => ({
  item,
  name: textOrNull(source.displayName),
  group: textOrNull(group?.guid),
  groupName: textOrNull(group?.name),
  menu: textOrNull(menu?.guid),
  menuName: textOrNull(menu?.name),
});

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function remember(entry: SourceNames & { names: RememberedNames }): void {
  const { item, name, group, groupName, menu, menuName } = entry;
  if ([item, name, group, groupName, menu, menuName].some((text) => text !== null && text.length > LONGEST)) return;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(item, entry);
}

/** Unambiguous because no name or GUID is empty or contains U+0000. */
const keyOf = ({ modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name }: LineNames): string =>
  [modifier ? 1 : 0, item_guid, item_name, group_guid, group_name, menu_guid, menu_name].join('\0');
