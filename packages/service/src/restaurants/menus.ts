/** The menus of a restaurant, in the format of a POS's menus API or its nightly export: docs/loading.md#menus. */
import Type, { type TSchema } from 'typebox';
import type { Menu, MenuGroup } from '../facts/menus.ts';
import type { NamedRef } from '../facts/reference.ts';
import { type BodyReader, nullable, readArray, readProperties, storedText } from '../http/body-fields.ts';
import { fieldProblem, placeName } from '../http/problems.ts';
import { GuidText, LONGEST_GUID, LONGEST_NAME, LongName } from './reference.ts';

/** The deepest nesting of groups. A menu of a POS has four or five levels at most. */
const DEEPEST = 50;

const guidField = nullable(storedText(GuidText, LONGEST_GUID), null);
const nameField = nullable(storedText(LongName, LONGEST_NAME), null);
const NAMED = { guid: GuidText, name: LongName };

/** Alternative names of a list property, all of which are read; the first is the documented one. */
type ListNames = readonly [string, ...string[]];
/** The menus API calls them `menuGroups`, an export `groups` and `subgroups`. */
const GROUPS_OF_MENU: ListNames = ['menuGroups', 'groups'];
const GROUPS_OF_GROUP: ListNames = ['menuGroups', 'subgroups', 'groups'];
const ITEMS: ListNames = ['menuItems', 'items'];
const described = ([first]: ListNames, list: TSchema) => ({ [first]: Type.Optional(list) });

/** Groups may be nested to any depth; the OpenAPI document shows two levels. */
export const InnerGroups = Type.Array(Type.Object(NAMED), { description: 'Groups in it, in the same form' });
const MenuItemBody = Type.Object(NAMED, { title: 'MenuItemBody' });
const MenuGroupBody = Type.Object(
  { ...NAMED, ...described(GROUPS_OF_GROUP, InnerGroups), ...described(ITEMS, Type.Array(MenuItemBody)) },
  { title: 'MenuGroupBody' },
);
const MenuBody = Type.Object(
  { ...NAMED, ...described(GROUPS_OF_MENU, Type.Array(MenuGroupBody)) },
  { title: 'MenuBody' },
);

/**
 * The body of PUT /restaurants/{guid}/menus: `{"menus": […]}` or the array alone. Everything but names, GUIDs, groups
 * and items is ignored. An entry without a GUID or a name is skipped, and its groups and items belong to the entry above.
 * Throws Problem invalid_body with the pointer.
 */
export const menusBody: BodyReader<Menu[]> = {
  schema: Type.Object({ menus: Type.Array(MenuBody) }, { title: 'MenusBody' }),
  read(body) {
    const pointer = Array.isArray(body) ? '' : '/menus';
    const list = Array.isArray(body) ? body : readProperties(body, '').menus;
    return readArray(list, pointer).flatMap((entry, i) => {
      const at = `${pointer}/${i}`;
      const menu = readProperties(entry, at);
      const named = readNamed(menu, at);
      if (!named) return [];
      // Items outside of groups never appear in reports, since an order names the group of each item.
      return [{ ...named, menuGroups: readGroups(menu, at, GROUPS_OF_MENU, 1).groups }];
    });
  },
};

type Entry = Record<string, unknown>;

/** The contents of an entry that has no name itself. */
interface Inside {
  groups: MenuGroup[];
  items: NamedRef[];
}

function readGroups(above: Entry, at: string, names: ListNames, depth: number): Inside {
  const inside: Inside = { groups: [], items: [] };
  for (const [entry, place] of entriesOf(above, at, names)) {
    if (depth > DEEPEST) throw fieldProblem('invalid_body', place, `${placeName(place)} is nested too deeply.`);
    const group = readProperties(entry, place);
    const { groups, items } = readGroups(group, place, GROUPS_OF_GROUP, depth + 1);
    items.unshift(...readItems(group, place));
    const named = readNamed(group, place);
    if (named) inside.groups.push({ ...named, menuGroups: groups, menuItems: items });
    else {
      inside.groups.push(...groups);
      inside.items.push(...items);
    }
  }
  return inside;
}

const readItems = (group: Entry, at: string): NamedRef[] =>
  entriesOf(group, at, ITEMS).flatMap(([entry, place]) => readNamed(readProperties(entry, place), place) ?? []);

/** The entries of all lists with these names, each with its pointer. A missing list is empty. */
const entriesOf = (above: Entry, at: string, names: ListNames): [unknown, string][] =>
  names.flatMap((name) => {
    const list = above[name] ?? [];
    return readArray(list, `${at}/${name}`).map((entry, i): [unknown, string] => [entry, `${at}/${name}/${i}`]);
  });

/** GUID in lower case, as orders refer to it, and name; undefined if either is missing or blank. */
function readNamed(entry: Entry, at: string): NamedRef | undefined {
  const guid = guidField.read(entry.guid, `${at}/guid`);
  const name = nameField.read(entry.name, `${at}/name`);
  return guid?.trim() && name?.trim() ? { guid: guid.toLowerCase(), name } : undefined;
}
