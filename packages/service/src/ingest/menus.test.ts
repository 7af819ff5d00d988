import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Problem } from '../contract/problems.ts';
import { createNamed, schemaOf } from '../openapi/json-schemas.ts';
import { namesOf } from './line-names.ts';
import { menusBody } from './menus.ts';

/** A menu whose groups are nested this many levels deep; the innermost has `inside`. */
function nested(levels: number, inside: object): object {
  let group: object = { guid: `g${levels}`, name: `Level ${levels}`, ...inside };
  for (let level = levels - 1; level > 0; level--) {
    group = { guid: `g${level}`, name: `Level ${level}`, [level % 2 ? 'menuGroups' : 'subgroups']: [group] };
  }
  return { menus: [{ guid: 'm', name: 'All day', menuGroups: [group] }] };
}

const problemOf = (body: unknown): Problem => {
  try {
    menusBody.read(body);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return assert.fail('the body was accepted');
};

describe('the body of menus', () => {
  it('may nest its groups 50 levels deep, and no deeper', () => {
    let [groups] = menusBody.read(nested(50, {})).menus.map(({ menuGroups }) => menuGroups);
    let levels = 0;
    for (; groups?.[0]; levels++) groups = groups[0].menuGroups;
    assert.equal(levels, 50);

    const { code, message } = problemOf(nested(51, {}));
    assert.equal(code, 'invalid_body');
    assert.match(message, /^menus\[0\]\.menuGroups\[0\]\..*\[0\] is nested too deeply\.$/);
    assert.equal(menusBody.read(nested(50, {})).menus.length, 1, 'a refused body does not count for the next');
  });

  it('has names of any length, which are stored as those in orders are', () => {
    for (const name of ['n'.repeat(501), `${'n'.repeat(499)}\ud83c\udf55`, 'So\0up', '  Cafe\u0301  ', 'n\ud800']) {
      const [menu] = menusBody.read([{ guid: 'm', name }]).menus;
      assert.equal(menu?.name, namesOf({ displayName: name }, '', null, false).item_name);
      assert.ok(menu && menu.name.length <= 500);
    }
    const unnamed = { guid: 'u', name: '\0' };
    assert.deepEqual(
      menusBody.read([unnamed, { guid: 'm', name: 'Lunch' }]).menus.map(({ guid }) => guid),
      ['m'],
    );
  });

  it('is described by what reads it, at every level', () => {
    const named = createNamed();
    const schema = schemaOf(menusBody.schema, named);
    const document = { ...schema, components: named.all };
    const validate = new Ajv2020({ strict: false }).compile(document);
    for (const [levels, wrong] of [
      [1, { name: 7 }],
      [2, { menuItems: 'soup' }],
      [7, { menuItems: [{ guid: [] }] }],
    ] as const) {
      // Groups by the names of an export are read, too, and not described.
      const body = JSON.parse(JSON.stringify(nested(levels, wrong)).replaceAll('subgroups', 'menuGroups'));
      assert.equal(validate(body), false, `the schema takes ${JSON.stringify(wrong)}`);
      problemOf(body);
    }
    assert.ok(validate(nested(7, { menuItems: [{ guid: 'i', name: 'Soup' }] })));
  });

  it('takes the id of an entry for a GUID that it does not have, and whatever an id is beside a GUID', () => {
    const body = {
      menus: [
        {
          id: 'M-1',
          name: 'Dinner',
          menuGroups: [
            {
              id: 7,
              name: 'Grill',
              menuItems: [
                { guid: 'i-1', id: { a: 1 }, name: 'Soup' },
                { guid: ' ', id: 'I-2', name: 'Tea' },
              ],
            },
            { id: ['g'], guid: null, name: 'Nobody', items: [{ id: 'i-3', name: 'Ale' }] },
          ],
        },
      ],
    };
    const item = (guid: string, name: string) => ({ guid, name });
    const menuItems = [item('i-1', 'Soup'), item('i-2', 'Tea')];
    assert.deepEqual(menusBody.read(body).menus, [
      { guid: 'm-1', name: 'Dinner', menuGroups: [{ guid: '7', name: 'Grill', menuGroups: [], menuItems }] },
    ]);
  });

  it('removes the menus only when it is empty, not when no menu in it has a GUID and a name', () => {
    assert.deepEqual(
      [menusBody.read({ menus: [] }), menusBody.read([])],
      [
        { menus: [], skipped: 0 },
        { menus: [], skipped: 0 },
      ],
    );
    const menus = [{ uuid: 'm', name: 'Dinner' }, { guid: 'm2' }, {}];
    for (const [body, pointer] of [
      [{ menus }, '/menus'],
      [menus, ''],
      [[{ id: {}, name: 'Dinner' }], ''],
    ] as const) {
      const { code, message, extras } = problemOf(body);
      assert.deepEqual([code, extras.errors?.[0]?.pointer], ['invalid_body', pointer]);
      assert.match(message, /^None of the menus has a guid and a name\. The stored menus remain/);
    }
  });

  it('is refused if it has groups or items, and none of them has a GUID', () => {
    const menu = (more: object) => ({ guid: 'm', name: 'Dinner', ...more });
    const soup = { itemId: 1, name: 'Soup' };
    const tea = { guid: 'i', name: 'Tea' };
    for (const [groups, of] of [
      [[{ groupId: 1, name: 'Grill', menuItems: [tea] }], 'groups'],
      [[{ groupId: 1, name: 'Grill', subgroups: [{ uuid: 'g', name: 'Sides' }] }], 'groups'],
      [[{ guid: 'g', name: 'Grill', items: [soup], groups: [{ name: 'Sides', menuItems: [soup] }] }], 'items'],
    ] as const) {
      const { code, message, extras } = problemOf({ menus: [menu({ menuGroups: groups }), menu({})] });
      assert.deepEqual([code, extras.errors?.[0]?.pointer], ['invalid_body', '/menus']);
      assert.match(message, new RegExp(`^None of the ${of} has a guid\\. The stored menus remain`));
    }
    const grill = { guid: 'g', name: 'Grill', menuItems: [soup, tea], menuGroups: [{ name: 'Sides' }] };
    const { menus } = menusBody.read([menu({ groups: [grill] })]);
    assert.deepEqual(menus[0]?.menuGroups, [{ guid: 'g', name: 'Grill', menuGroups: [], menuItems: [tea] }]);
  });

  it('takes groups and items by the names of the menus API and of an export, and lifts those of entries without a name', () => {
    const soup = { guid: 'I1', name: 'Soup' };
    const tea = { guid: 'i2', name: 'Tea' };
    const body = [
      {
        guid: 'M',
        name: 'All day',
        groups: [{ guid: 'g1', name: 'Food', menuItems: [soup], subgroups: [{ guid: 'g2', name: ' ', items: [tea] }] }],
      },
      { name: 'Nobody', menuGroups: null },
    ];
    assert.deepEqual(menusBody.read(body).menus, [
      {
        guid: 'm',
        name: 'All day',
        menuGroups: [{ guid: 'g1', name: 'Food', menuGroups: [], menuItems: [{ ...soup, guid: 'i1' }, tea] }],
      },
    ]);
  });

  it('counts the entries that are not stored: without a name, and those of which nothing with a name is above', () => {
    const menuItems = [{ guid: 'i1', name: 'Soup' }, { guid: 'i2' }];
    const named = { guid: 'g1', name: 'Food', menuItems, groups: [{ guid: 'g2', items: menuItems }] };
    const unnamed = { guid: 'g3', menuItems, subgroups: [named] };
    const skipped = (...menus: object[]) => menusBody.read([{ guid: 'm', name: 'Dinner' }, ...menus]).skipped;
    const menu = (...menuGroups: object[]) => ({ guid: 'm2', name: 'Lunch', menuGroups });
    assert.equal(skipped(menu({ ...named, groups: [], menuItems: [] })), 0);
    // Two items and the inner group, whose first item belongs to the outer one.
    assert.equal(skipped(menu(named)), 3);
    // These, and the outer group with both of its items.
    assert.equal(skipped(menu(unnamed)), 6);
    // All of them with the menu.
    assert.equal(skipped({ guid: 'm2', name: ' ', groups: [unnamed] }), 10);
    assert.equal(skipped({ guid: 'm2', name: 'Lunch', menuItems, items: menuItems }), 4);
  });

  it('lifts as many entries as there are: a connection reads menus of any length', () => {
    const items = Array.from({ length: 150_000 }, (_, at) => ({ guid: `i${at}`, name: 'Soup' }));
    const inner = { groups: items.map(({ guid, name }) => ({ guid: `g${guid}`, name })), items };
    const { menus, skipped } = menusBody.read([
      { guid: 'm', name: 'Dinner', groups: [{ guid: 'g', name: 'Food', groups: [inner] }] },
    ]);
    const [food] = menus[0]?.menuGroups ?? [];
    assert.deepEqual([food?.menuGroups.length, food?.menuItems.length, skipped], [150_000, 150_000, 1]);
  });
});
