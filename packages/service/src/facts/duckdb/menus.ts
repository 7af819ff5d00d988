/** Menus as rows: one row for each place in the document, in order. */
import { isDeepStrictEqual } from 'node:util';
import type { Menu, MenuGroup, NamedRef } from '../reference.ts';
import type { EngineRow } from './protocol.ts';
import { rowsOf } from './row-types.ts';

type Kind = 'menu' | 'group' | 'item';

/** A row of `menu_entries`. */
interface MenuRow extends NamedRef {
  place: number;
  /** The place of the entry that contains it; null for menus. */
  parent: number | null;
  kind: Kind;
  /** Whether it is the first of its kind with this GUID, the only one that reports look up. */
  is_first: boolean;
  /** For groups: the outermost group above it, or itself, and the menu. */
  root_guid: string | null;
  menu_guid: string | null;
}

/** The rows of menus, in the order of the document. */
export function entriesOf(menus: readonly Menu[]): MenuRow[] {
  const entries: MenuRow[] = [];
  const seen = new Set<string>();
  function add(kind: Kind, { guid, name }: NamedRef, parent: number | null, of: Partial<MenuRow> = {}): number {
    const index = entries.length;
    const key = `${kind} ${guid}`;
    entries.push({
      place: index,
      parent,
      kind,
      guid,
      name,
      is_first: !seen.has(key),
      root_guid: null,
      menu_guid: null,
      ...of,
    });
    seen.add(key);
    return index;
  }
  function addGroup(group: MenuGroup, parent: number, menu: string, root: string): void {
    const index = add('group', group, parent, { root_guid: root, menu_guid: menu });
    for (const item of group.menuItems) add('item', item, index);
    for (const inner of group.menuGroups) addGroup(inner, index, menu, root);
  }
  for (const menu of menus) {
    const index = add('menu', menu, null);
    for (const group of menu.menuGroups) addGroup(group, index, menu.guid, group.guid);
  }
  return entries;
}

/**
 * Whether menus have the same rows. It stops at the first difference: the texts of 50,000 entries took 0.1 s of the
 * event loop.
 */
export const areSameMenus = (a: readonly Menu[], b: readonly Menu[]): boolean => isDeepStrictEqual(a, b);

/** The menus of rows, which must be ordered by place. */
export function menusOf(answered: readonly EngineRow[]): Menu[] {
  const menus: Menu[] = [];
  const groups = new Map<number, MenuGroup>();
  for (const { place: index, parent: above, kind, guid, name } of rowsOf('menus', answered)) {
    const parent = above === null ? undefined : groups.get(above);
    if (kind === 'item') parent?.menuItems.push({ guid, name });
    else {
      const group: MenuGroup = { guid, name, menuGroups: [], menuItems: [] };
      groups.set(index, group);
      if (kind === 'menu') menus.push(group);
      else parent?.menuGroups.push(group);
    }
  }
  return menus.map(({ guid, name, menuGroups }) => ({ guid, name, menuGroups }));
}
