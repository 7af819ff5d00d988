/** The SQL of menu reports. */
import { NO_MENU, NO_MENU_GROUP, OPEN_ITEM, UNKNOWN_ITEM } from '../../../contract/words.ts';
import type { GatherQuery } from '../../report.ts';
import { openSql, type TableQuery } from '../statements.ts';
import type { FamilySql, SharedWords } from './family.ts';
import { isQuickToRun, sortedRows } from './sorted.ts';

const { fragment } = openSql(new URL('./menu.sql', import.meta.url));

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
  guid: 's.item_guid',
  carried: 's.item_name',
  join: '',
  rows: 'namedItems',
  kind: "'item'",
  noName: '$openItem',
};
const NAMINGS: Readonly<Record<string, Naming>> = {
  MENU: {
    // The menu that contains the group among the loaded menus, otherwise the one in the order.
    guid: 'coalesce(g.menu_guid, s.menu_guid)',
    carried: 'case when g.menu_guid is null then s.menu_name end',
    join: fragment('joinGroups'),
    modifiers: 'not s.modifier',
    rows: 'namedGroups',
    kind: "'menu'",
    noName: '$noMenu',
    pair: ['menuGuid', 'menuName'],
  },
  MENU_GROUP: {
    guid: 'coalesce(g.root_guid, s.group_guid)',
    carried: 'case when g.root_guid is null then s.group_name end',
    join: fragment('joinGroups'),
    modifiers: 'not s.modifier',
    rows: 'namedGroups',
    kind: "'group'",
    noName: '$noGroup',
    pair: ['menuGroupGuid', 'menuGroupName'],
  },
  MENU_ITEM: { ...ITEM, modifiers: 'not s.modifier', pair: ['menuItemGuid', 'menuItemName'] },
  MODIFIER: { ...ITEM, modifiers: 's.modifier', pair: ['modifierGuid', 'modifierName'] },
};

/** The tables of the rows of a grouping; `isApart` where nearly every record has one rollup. */
function rowsBy({ rows, ...naming }: Naming, ids: string, sums: string, isApart: boolean): string[] {
  const { pair: _, ...own } = naming;
  const words = { ...own, ids, sums, ownName: fragment('ownName', own) };
  const keyed = { ...words, key: fragment('key', words) };
  const apart = isApart
    ? { ofSeveral: fragment('ofSeveral', keyed), alone: fragment('alone', keyed), requestedGuid: fragment('unnamed') }
    : { ofSeveral: '', alone: '', requestedGuid: 's.guid' };
  return [
    fragment('entries', { ids }),
    ...(isApart ? [fragment('several', keyed)] : []),
    fragment('split', { ...words, ...apart }),
    fragment(rows, { noName: naming.noName }),
  ];
}

/** A measurement may read rows of another table, of which each record has many, in the place of the rollups. */
export function menuRecords(query: GatherQuery, { ids, currency }: SharedWords, other?: string): TableQuery {
  const [group = ''] = query.groups;
  const naming = NAMINGS[group];
  const sums = fragment('sums', { s: 's' });
  const [guid, name] = naming?.pair ?? [];
  const pair = guid && name ? `, r.entry_guid as "${guid}", r.entry_name as "${name}"` : '';
  // By group and by menu nearly every record has several rollups. To look for those that have to be added up takes 5 ms
  // to plan.
  const isApart = naming?.rows === 'namedItems' && !isQuickToRun(query) && other === undefined;
  const rows = naming ? rowsBy(naming, ids, sums, isApart) : [fragment('whole', { ids, sums })];
  const sorted = sortedRows(query);
  const tables =
    other === undefined ? rows : rows.map((text) => text.replaceAll('from all_menu_sheets s', `from ${other} s`));
  return { tables: [...tables, ...sorted.tables], query: fragment('records', { ...sorted.words, pair, currency }) };
}

export const MENU_SQL: FamilySql = {
  records: (query, words) => menuRecords(query, words),
  values: { noMenu: NO_MENU, noGroup: NO_MENU_GROUP, openItem: OPEN_ITEM, unknownItem: UNKNOWN_ITEM },
  changes: {
    lines: {
      table: 'lines',
      dated: 'refunds',
      figures: fragment('lineChanges', {
        before: fragment('lineFigures', { v: 'b' }),
        after: fragment('lineFigures', { v: 'a' }),
        refundsBefore: fragment('lineRefunds', { versions: 'dated_before' }),
        refundsAfter: fragment('lineRefunds', { versions: 'dated_after' }),
      }),
    },
  },
};
