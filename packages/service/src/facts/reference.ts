/** Reference data: the names that orders and time entries refer to by GUID, and the menus of a restaurant. */

export interface NamedRef {
  guid: string;
  name: string;
}

export interface Reference {
  diningOptions: NamedRef[];
  revenueCenters: NamedRef[];
  employees: { guid: string; firstName: string; lastName: string; chosenName: string }[];
  jobs: { guid: string; title: string; code: string; wageFrequency: string | null; excludeFromReporting: boolean }[];
}

/** A group of a menu: menus say in which group and menu an item is sold. */
export interface MenuGroup extends NamedRef {
  menuGroups: MenuGroup[];
  menuItems: NamedRef[];
}

/** GUIDs are lower case. A group or item may be in several places. */
export interface Menu extends NamedRef {
  menuGroups: MenuGroup[];
}

/** How many of each the menus have, counted in every place. */
export interface MenuCounts {
  menus: number;
  groups: number;
  items: number;
}

/** Counts menus, their groups at any depth, and the items in these. */
export function countMenus(menus: readonly Menu[]): MenuCounts {
  const counts = { menus: menus.length, groups: 0, items: 0 };
  const add = ({ menuGroups, menuItems }: MenuGroup): void => {
    counts.groups++;
    counts.items += menuItems.length;
    menuGroups.forEach(add);
  };
  for (const { menuGroups } of menus) menuGroups.forEach(add);
  return counts;
}
