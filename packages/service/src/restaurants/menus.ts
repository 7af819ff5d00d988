/** The menus of a restaurant, as the menus API of a POS and its nightly export have them: docs/loading.md#menus. */

import type { Menu, MenuGroup } from '../facts/menus.ts';
import type { NamedRef } from '../facts/reference.ts';
import { fieldProblem } from '../problems.ts';
import { type Fields, objectFields, optionalText, placeName, requiredList } from './fields.ts';

const LONGEST_GUID = 200;
const LONGEST_NAME = 500;
/** Groups in groups. A menu of a POS has at most four or five. */
const DEEPEST = 50;

/**
 * Reads the body of PUT /restaurants/{guid}/menus: `{"menus": […]}` or the array alone. Everything but names, GUIDs, groups
 * and items is ignored, and so are entries without a GUID or a name; the groups and items in them belong to what is above.
 * Throws Problem invalid_body with the pointer.
 */
export function readMenus(body: unknown): Menu[] {
  const pointer = Array.isArray(body) ? '' : '/menus';
  const list = Array.isArray(body) ? body : objectFields(body, '').menus;
  return requiredList(list, pointer).flatMap((entry, i) => {
    const at = `${pointer}/${i}`;
    const fields = objectFields(entry, at);
    const named = readNamed(fields, at);
    if (!named) return [];
    // Items that are in no group are in no report either: an order names the group of each.
    return [{ ...named, menuGroups: readGroups(fields, at, ['menuGroups', 'groups'], 1).groups }];
  });
}

/** What an entry holds, where it has no name itself. */
interface Inside {
  groups: MenuGroup[];
  items: NamedRef[];
}

/** `names` are those of the list: the menus API has `menuGroups` everywhere, an export `groups` and `subgroups`. */
function readGroups(fields: Fields, at: string, names: readonly string[], depth: number): Inside {
  const inside: Inside = { groups: [], items: [] };
  for (const name of names) {
    for (const [i, entry] of listOf(fields[name], `${at}/${name}`).entries()) {
      const place = `${at}/${name}/${i}`;
      if (depth > DEEPEST) throw fieldProblem('invalid_body', place, `${placeName(place)} is nested too deeply.`);
      const group = objectFields(entry, place);
      const { groups, items } = readGroups(group, place, ['menuGroups', 'subgroups', 'groups'], depth + 1);
      items.unshift(...readItems(group, place));
      const named = readNamed(group, place);
      if (named) inside.groups.push({ ...named, menuGroups: groups, menuItems: items });
      else {
        inside.groups.push(...groups);
        inside.items.push(...items);
      }
    }
  }
  return inside;
}

const readItems = (fields: Fields, at: string): NamedRef[] =>
  ['menuItems', 'items'].flatMap((name) =>
    listOf(fields[name], `${at}/${name}`).flatMap((entry, i) => {
      const place = `${at}/${name}/${i}`;
      return readNamed(objectFields(entry, place), place) ?? [];
    }),
  );

const listOf = (value: unknown, pointer: string): readonly unknown[] =>
  value === undefined || value === null ? [] : requiredList(value, pointer);

/** GUID in lower case, as orders refer to it, and name; undefined where either is missing or blank. */
function readNamed(fields: Fields, at: string): NamedRef | undefined {
  const guid = optionalText(fields.guid, `${at}/guid`, LONGEST_GUID);
  const name = optionalText(fields.name, `${at}/name`, LONGEST_NAME);
  return guid?.trim() && name?.trim() ? { guid: guid.toLowerCase(), name } : undefined;
}
