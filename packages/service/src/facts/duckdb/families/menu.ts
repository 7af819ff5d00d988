/** The SQL of menu reports. */
import { NO_MENU, NO_MENU_GROUP, OPEN_ITEM, UNKNOWN_ITEM } from '../../../contract/words.ts';
import { openSql } from '../statements.ts';
import type { FamilySql } from './family.ts';

const { part } = openSql(new URL('./menu.sql', import.meta.url));

/** How a line is named in a query: its GUID, its own name, and where other names are looked up. */
interface Naming {
  guid: string;
  carried: string;
  join: string;
  modifiers: string;
  rows: 'namedItems' | 'namedGroups';
  /** The kind in `menu_entries`. */
  kind: string;
  /** The name for what has none. */
  noName: string;
  /** The GUID and name fields of the record. */
  pair: [guid: string, name: string];
}

const ITEM: Pick<Naming, 'guid' | 'carried' | 'join' | 'rows' | 'kind' | 'noName'> = {
  ...{ guid: 's.item_guid', carried: 's.item_name', join: '', rows: 'namedItems' },
  ...{ kind: "'item'", noName: '$openItem' },
};
const NAMINGS: Readonly<Record<string, Naming>> = {
  MENU: {
    // The menu that contains the group among the loaded menus, otherwise the one in the order.
    guid: 'coalesce(g.menu_guid, s.menu_guid)',
    carried: 'case when g.menu_guid is null then s.menu_name end',
    join: part('joinGroups'),
    modifiers: 'not s.modifier',
    rows: 'namedGroups',
    kind: "'menu'",
    noName: '$noMenu',
    pair: ['menuGuid', 'menuName'],
  },
  MENU_GROUP: {
    guid: 'coalesce(g.root_guid, s.group_guid)',
    carried: 'case when g.root_guid is null then s.group_name end',
    join: part('joinGroups'),
    modifiers: 'not s.modifier',
    rows: 'namedGroups',
    kind: "'group'",
    noName: '$noGroup',
    pair: ['menuGroupGuid', 'menuGroupName'],
  },
  MENU_ITEM: { ...ITEM, modifiers: 'not s.modifier', pair: ['menuItemGuid', 'menuItemName'] },
  MODIFIER: { ...ITEM, modifiers: 's.modifier', pair: ['modifierGuid', 'modifierName'] },
};
const PAIRS = Object.values(NAMINGS).map(({ pair }) => pair);

const wordsOf = ({ guid, carried, join, modifiers, kind, noName }: Naming): Record<string, string> => ({
  ...{ guid, carried, join, modifiers, kind, noName },
});

export const MENU_SQL: FamilySql = {
  records({ groups: [group = ''] }, { ids, currency }) {
    const naming = NAMINGS[group];
    const sums = part('sums', { s: 's' });
    const pairs = PAIRS.map((pair) =>
      pair === naming?.pair
        ? `b.guid as "${pair[0]}", b.name as "${pair[1]}"`
        : `null::varchar as "${pair[0]}", null::varchar as "${pair[1]}"`,
    ).join(',\n       ');
    const rows = naming
      ? [part('split', { ...wordsOf(naming), ids, sums }), part(naming.rows, { noName: naming.noName })]
      : [part('whole', { ids, sums })];
    return [...rows, part('records', { pairs, currency })].join('\n');
  },
  values: { noMenu: NO_MENU, noGroup: NO_MENU_GROUP, openItem: OPEN_ITEM, unknownItem: UNKNOWN_ITEM },
  changes: {
    lines: {
      table: 'lines',
      figures: part('lineChanges', {
        before: part('lineFigures', { v: 'b' }),
        after: part('lineFigures', { v: 'a' }),
      }),
    },
  },
};
