import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findDays, findFiles } from './day-folder.ts';

describe('a tree of days', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'daypart-tree-'));
    for (const path of ['a/20260311/20260101', 'a/b/20260309', 'b/20260310', 'b/20260230', 'c']) {
      await mkdir(join(root, path), { recursive: true });
    }
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('has its days at any depth, oldest first, and none below a day', async () => {
    const { days } = await findDays(root);
    assert.deepEqual(
      days.map(({ date }) => date),
      [20260309, 20260310, 20260311],
    );
    assert.deepEqual(
      (await findDays(join(root, 'b/20260310'))).days.map(({ date }) => date),
      [20260310],
    );
  });

  it('has days behind symbolic links, which may lead back', async () => {
    const linked = join(root, 'linked');
    await mkdir(join(linked, 'more'), { recursive: true });
    await symlink('../a/20260311', join(linked, '20260311'));
    await symlink('../../b', join(linked, 'more', 'b'));
    await symlink('..', join(linked, 'more', 'up'));
    await symlink('nowhere', join(linked, 'broken'));
    assert.deepEqual(
      (await findDays(linked)).days.map(({ date }) => date),
      [20260310, 20260311],
    );
    await rm(linked, { recursive: true });
  });

  it('names folders with an export that are not named by a date', async () => {
    const tree = join(root, 'strays');
    for (const name of ['20260310', '20261399', '2026-03-11', '20260312 (1)', 'notes', '20260310/old']) {
      await mkdir(join(tree, name), { recursive: true });
      await writeFile(join(tree, name, name === 'notes' ? 'notes.csv' : 'orderdetails.CSV'), '');
    }
    await writeFile(join(tree, 'TimeEntries.csv'), '');
    const { days, strays } = await findDays(tree);
    assert.deepEqual(
      days.map(({ date }) => date),
      [20260310],
    );
    const rest = ': name it by the business date of its files, then import it';
    assert.deepEqual(strays, [
      { folder: tree, message: `its name is not a date, YYYYMMDD${rest}` },
      { folder: join(tree, '2026-03-11'), message: `its name is not a date, YYYYMMDD${rest}` },
      { folder: join(tree, '20260312 (1)'), message: `its name is not a date, YYYYMMDD${rest}` },
      { folder: join(tree, '20261399'), message: `20261399 is not an existing date${rest}` },
    ]);
    await assert.rejects(
      findDays(join(tree, '20261399')),
      /20261399 has files of an export, but 20261399 is not an ex/,
    );
    await rm(tree, { recursive: true });
  });

  it('has no days in what archive tools and systems put beside it, and no files of theirs', async () => {
    const tree = join(root, 'unpacked');
    const files = [
      '185129/20260310/OrderDetails.csv',
      '185129/20260310/._OrderDetails.csv',
      '185129/20260310/.DS_Store',
    ];
    const others = ['__MACOSX/185129/20260310/._OrderDetails.csv', 'copies/20260310/._OrderDetails.csv'];
    const more = ['@eaDir/20260310/OrderDetails.csv', '.Trash-1000/files/20260310/OrderDetails.csv', 'Thumbs.db'];
    for (const path of [...files, ...others, ...more]) {
      await mkdir(join(tree, path, '..'), { recursive: true });
      await writeFile(join(tree, path), '');
    }
    const { days, strays } = await findDays(tree);
    const [day] = days;
    assert.deepEqual([days.length, strays, day?.path], [1, [], join(tree, '185129/20260310')]);
    assert.deepEqual(day && (await findFiles(day)).others, []);
    await rm(tree, { recursive: true });
  });

  it('is refused without days, and with one day twice', async () => {
    await mkdir(join(root, 'twice/1/20260310'), { recursive: true });
    await mkdir(join(root, 'twice/2/20260310'), { recursive: true });
    await assert.rejects(findDays(join(root, 'twice')), /are of the same day.*one restaurant at a time/);
    await assert.rejects(findDays(join(root, 'c')), /no folder named YYYYMMDD/);
    await assert.rejects(findDays(join(root, 'none')), /there is no folder/);
  });

  it('has files by name without regard to case', async () => {
    const path = join(root, 'b/20260310');
    for (const name of ['ORDERDETAILS.csv', 'TimeEntries.CSV', 'AllItemsReport.csv'])
      await writeFile(join(path, name), '');
    for (const name of ['menuexport_1.json', 'MenuExportV2_1.json', 'MenuExport_1.csv'])
      await writeFile(join(path, name), '');
    const { files, menus, others } = await findFiles({ date: 20260310, path });
    assert.equal(menus, join(path, 'MenuExportV2_1.json'));
    assert.deepEqual(
      [Object.keys(files), others],
      [
        ['OrderDetails', 'TimeEntries'],
        ['AllItemsReport.csv', 'MenuExport_1.csv', 'menuexport_1.json'],
      ],
    );
  });
});
