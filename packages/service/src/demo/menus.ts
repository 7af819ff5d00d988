/** The menus of the demo's restaurants: restaurants that share a menu have the same GUIDs for its items. */
import type { Menu, MenuGroup } from '../facts/reference.ts';
import { MENU_PARTS, MENUS, type MenuName } from './menu.ts';
import { createRandom } from './random.ts';
import type { DemoRestaurant } from './restaurants.ts';

const guids = new Map<string, string>();

/** The GUID of an item, modifier, group or menu of a restaurant's menus. */
export function menuGuid(of: MenuName, kind: 'item' | 'modifier' | 'group' | 'menu', name: string): string {
  const key = `${of} ${kind} ${name}`;
  const guid = guids.get(key) ?? createRandom(key).guid();
  guids.set(key, guid);
  return guid;
}

/** The body for PUT `/restaurants/{guid}/menus` (docs/loading.md#menus). */
export function demoMenus({ menu: of }: Pick<DemoRestaurant, 'menu'>): Menu[] {
  const { food, drinks } = MENUS[of];
  const groupOf = (name: string, inner: readonly string[] = []): MenuGroup => ({
    guid: menuGuid(of, 'group', name),
    name,
    menuGroups: inner.map((one) => groupOf(one)),
    menuItems: [...food, ...drinks]
      .filter(({ group }) => group === name)
      .map((item) => ({ guid: menuGuid(of, 'item', item.name), name: item.name })),
  });
  return MENU_PARTS[of].map(({ name, groups }) => ({
    guid: menuGuid(of, 'menu', name),
    name,
    menuGroups: groups.map((group) => (typeof group === 'string' ? groupOf(group) : groupOf(group.name, group.groups))),
  }));
}
