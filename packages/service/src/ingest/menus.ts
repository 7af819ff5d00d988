/** The menus of a restaurant, in the format of a POS's menus API or its nightly export: docs/loading.md#menus. */
import { fieldProblem } from '../contract/problems.ts';
import { Text, Type } from '../contract/schemas.ts';
import { isStorable } from '../contract/words.ts';
import { countMenus, type Menu, type MenuGroup, type NamedRef } from '../facts/reference.ts';
import {
  alias,
  type BodyField,
  type BodyReader,
  field,
  listField,
  nullable,
  objectField,
  recursiveField,
  storedText,
} from '../http/body-fields.ts';
import { GuidText, LONGEST_GUID } from './reference.ts';
import { cutName } from './source.ts';

/** The deepest nesting of groups. A menu of a POS has four or five levels at most. */
const DEEPEST = 50;

const nameField = field(Text('Dinner', { description: 'Cut at 500 characters' }), 'a text', (value) =>
  typeof value === 'string' ? (cutName(value) ?? '') : undefined,
);
const SKIPPED = { description: 'An entry without it is skipped; its groups and items belong to the entry above' };
/**
 * The `id` of an entry that another program wrote, as text or number; null for any other value: an entry with a GUID
 * may have any.
 */
const otherId: BodyField<string | null> = {
  schema: Type.Optional(Type.Unknown()),
  read(value) {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text.length <= LONGEST_GUID && isStorable(text) ? text : null;
  },
};
const NAMED = {
  guid: nullable(storedText(GuidText, LONGEST_GUID), null, SKIPPED),
  id: alias(otherId),
  name: nullable(nameField, null, SKIPPED),
};
/** Other properties are ignored. */
const entry = <F extends Record<string, BodyField<unknown>>>(title: string, fields: F) =>
  objectField({ ...NAMED, ...fields }, { schema: { title }, open: true });

interface Entry {
  guid: string | null;
  id: string | null;
  name: string | null;
}
/** The menus API has `menuGroups` and `menuItems`, an export other names for them. */
interface MenuEntry extends Entry {
  menuGroups: readonly GroupEntry[];
  subgroups?: readonly GroupEntry[];
  groups: readonly GroupEntry[];
  menuItems: readonly Entry[];
  items: readonly Entry[];
}
interface GroupEntry extends MenuEntry {
  subgroups: readonly GroupEntry[];
}

const items = nullable(listField(entry('MenuItemBody', {})), []);
const group = recursiveField<GroupEntry>('MenuGroupBody', DEEPEST, (self) => {
  const inner = nullable(listField(self), [], { description: 'Groups in it, in the same form', examples: [[]] });
  return entry('MenuGroupBody', {
    menuGroups: inner,
    subgroups: alias(inner),
    groups: alias(inner),
    menuItems: items,
    items: alias(items),
  });
});
const groups = nullable(listField(group), []);
const menus = listField(
  entry('MenuBody', { menuGroups: groups, groups: alias(groups), menuItems: alias(items), items: alias(items) }),
);
const wrapped = objectField({ menus }, { schema: { title: 'MenusBody' }, open: true });

/** The menus of a body. */
export interface ReadMenus {
  menus: Menu[];
  /** How many of its menus, groups and items are not among them. */
  skipped: number;
}

/**
 * The body of PUT /restaurants/{guid}/menus: `{"menus": […]}` or the array alone. An entry without a GUID (or an `id`
 * instead) or a name is skipped, and its groups and items belong to the entry above; with a menu, and with items of
 * which no group is above, these are skipped, too. Throws Problem invalid_body with the pointer, also if all menus are
 * skipped, or no group or no item has a GUID: such a document was not understood.
 */
export const menusBody: BodyReader<ReadMenus> = {
  schema: wrapped.schema,
  names: wrapped.names,
  read(body) {
    const entries = Array.isArray(body) ? menus.read(body, '') : wrapped.read(body, '').menus;
    const named = entries.flatMap((menu) => {
      const own = namedOf(menu);
      // Items outside of groups never appear in reports, since an order names the group of each item.
      return own ? [{ ...own, menuGroups: contentOf(innerOf(menu)).groups }] : [];
    });
    const all = [...groupsIn(entries)];
    const lost = entries.length > 0 && named.length === 0 ? 'None of the menus has a guid and a name' : unreadOf(all);
    if (lost !== undefined) {
      const pointer = Array.isArray(body) ? '' : '/menus';
      throw fieldProblem('invalid_body', pointer, `${lost}. The stored menus remain; an empty list removes them.`);
    }
    const stored = countMenus(named);
    const count = [...entries, ...all].reduce((sum, one) => sum + 1 + itemsOf(one).length, 0);
    return { menus: named, skipped: count - stored.menus - stored.groups - stored.items };
  },
};

const innerOf = ({ menuGroups, subgroups = [], groups }: MenuEntry): readonly GroupEntry[] => [
  ...menuGroups,
  ...subgroups,
  ...groups,
];
const itemsOf = ({ menuItems, items }: MenuEntry): readonly Entry[] => [...menuItems, ...items];

/** The groups in menus or groups, at every level. */
function* groupsIn(entries: readonly MenuEntry[]): Generator<GroupEntry> {
  for (const entry of entries) {
    for (const group of innerOf(entry)) {
      yield group;
      yield* groupsIn([group]);
    }
  }
}

/** What is wrong with groups of which none, or none of whose items, has a GUID; undefined for others. */
function unreadOf(all: readonly GroupEntry[]): string | undefined {
  const lack = (entries: readonly Entry[]): boolean => entries.length > 0 && !entries.some(guidOf);
  if (lack(all)) return 'None of the groups has a guid';
  return lack(all.flatMap(itemsOf)) ? 'None of the items has a guid' : undefined;
}

/** Groups with a name, and the items of those that have none. */
interface Content {
  groups: MenuGroup[];
  items: NamedRef[];
}

function contentOf(entries: readonly GroupEntry[]): Content {
  const content: Content = { groups: [], items: [] };
  for (const entry of entries) {
    const inner = contentOf(innerOf(entry));
    const menuItems = [...itemsOf(entry).flatMap((item) => namedOf(item) ?? []), ...inner.items];
    const named = namedOf(entry);
    if (named) content.groups.push({ ...named, menuGroups: inner.groups, menuItems });
    else {
      // One by one: the arguments of a call are bounded.
      for (const group of inner.groups) content.groups.push(group);
      for (const item of menuItems) content.items.push(item);
    }
  }
  return content;
}

/** In lower case, as orders refer to it; undefined if it is missing or blank. */
function guidOf({ guid, id }: Entry): string | undefined {
  const own = guid?.trim() ? guid : id;
  return own?.trim() ? own.toLowerCase() : undefined;
}

/** GUID and name; undefined if either is missing or blank. */
function namedOf(entry: Entry): NamedRef | undefined {
  const guid = guidOf(entry);
  return guid !== undefined && entry.name?.trim() ? { guid, name: entry.name } : undefined;
}
