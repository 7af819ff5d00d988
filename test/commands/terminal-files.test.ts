/** Files that reports are saved to: existing files, two runs at once, full disks, links. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { BIN, type Desk, openDesk } from './desk.ts';
import { GUID, json, metricsRow, type Odd, openOdd, ranged } from './odd.ts';

const BODY = JSON.stringify(Array.from({ length: 50 }, () => metricsRow()));
const GET = ['get', GUID, '--kind', 'metrics'];

describe('a file of a report', () => {
  let odd: Odd;
  let desk: Desk;
  before(async () => {
    odd = await openOdd(ranged(BODY, '"a"'));
    desk = await openDesk();
  });
  beforeEach(() => {
    odd.answer = ranged(BODY, '"a"');
    odd.asked = undefined;
    odd.heard.length = 0;
  });
  after(async () => {
    await odd.close();
    await desk.close();
  });
  const path = (name: string): string => join(desk.folder, name);
  const run = (args: string[], more: object = {}) => desk.run(args, { env: odd.env, ...more });
  const text = (name: string): Promise<string> => readFile(path(name), 'utf8');
  /** What a run that was ended leaves of `name`. */
  async function begun(name: string, bytes: string): Promise<string[]> {
    const what = JSON.stringify([odd.base, undefined, GUID, 'json', false]);
    await writeFile(path(`${name}.part`), bytes);
    await writeFile(path(`${name}.part.json`), JSON.stringify({ what, guid: GUID, etag: '"a"' }));
    return [...GET, '--output', name];
  }
  const leftOf = async (name: string): Promise<string[]> =>
    (await readdir(desk.folder)).filter((one) => one.startsWith(`${name}.`));

  it('that has more bytes than the report is started again, and no error answer is saved as the report', async () => {
    const args = await begun('longer.json', `${BODY}and more`);

    const { code, err } = await run(args);

    assert.deepEqual([code, err], [0, '']);
    assert.equal(await text('longer.json'), BODY);
    assert.deepEqual(
      odd.heard.map(({ headers }) => headers.range),
      [`bytes=${BODY.length + 8}-`, undefined],
    );
  });

  it('that is complete is verified against the digest before it gets its name', async () => {
    const whole = await run(await begun('whole.json', BODY));
    const damaged = await run(await begun('damaged.json', BODY.replace('12.5', '99.9')));
    const there = await stat(path('damaged.json')).catch(() => undefined);

    assert.deepEqual([whole.code, damaged.code, there], [0, 1, undefined]);
    assert.match(damaged.err, /damaged\.json does not match the digest of the service/);
    assert.equal(await text('whole.json'), BODY);
    assert.deepEqual(await leftOf('damaged.json'), []);
  });

  it('that is complete is started again if nothing says whether it is right', async () => {
    odd.answer = ranged(BODY, '"a"', false);

    const { code } = await run(await begun('unsaid.json', BODY.replace('12.5', '99.9')));

    assert.equal(code, 0);
    assert.equal(await text('unsaid.json'), BODY);
  });

  it('is written by one run at a time; the lock of a run that no longer exists is taken over', async () => {
    const other = spawn('sleep', ['60']);
    try {
      await writeFile(path('two.json.part.lock'), String(other.pid));
      const held = await run([...GET, '--output', 'two.json']);
      await writeFile(path('two.json.part.lock'), String(spawnedAndGone()));
      const gone = await run([...GET, '--output', 'two.json']);

      assert.deepEqual([held.code, held.out], [1, '']);
      assert.match(held.err, /^daypart: another run is writing two\.json\n/);
      assert.deepEqual([gone.code, await text('two.json'), await leftOf('two.json')], [0, BODY, []]);
    } finally {
      other.kill();
    }
  });

  it('is whole when two runs ask for it at once: one of them ends', async () => {
    odd.answer = (heard, response) => setTimeout(() => ranged(BODY, '"a"')(heard, response), 1000);

    const args = [...GET, '--output', 'both.json'];
    const ended = await Promise.all([args, args].map((same) => desk.spawn(same, { env: odd.env })));

    assert.deepEqual(ended.map(({ code }) => code).sort(), [0, 1]);
    assert.match(ended.map(({ err }) => err).join(''), /another run is writing both\.json/);
    assert.deepEqual([await text('both.json'), await leftOf('both.json')], [BODY, []]);
  });

  it('does not get its name if the disk stores only a part of it', {
    skip: process.platform === 'win32',
  }, async () => {
    odd.answer = ranged(JSON.stringify(Array.from({ length: 5000 }, () => metricsRow())), '"a"');
    const command = `ulimit -f 100; exec "${process.execPath}" "${BIN}" ${GET.join(' ')} --output full.json`;

    const ended = await promisify(execFile)('bash', ['-c', command], {
      cwd: desk.folder,
      env: { ...process.env, ...odd.env },
    }).catch((error) => error);

    assert.equal(ended.code, 1, ended.stderr);
    assert.match(ended.stderr, /^daypart: .*full\.json\.part cannot be written: EFBIG/);
    assert.equal(await stat(path('full.json')).catch(() => undefined), undefined);
  });

  it('replaces what a link points to, keeps its mode, and is no pipe', {
    skip: process.platform === 'win32',
  }, async () => {
    await mkdir(path('kept'));
    await writeFile(path('kept/real.json'), 'old');
    await chmod(path('kept/real.json'), 0o600);
    await symlink('kept/real.json', path('link.json'));
    execFileSync('mkfifo', [path('pipe.json')]);

    const linked = await run([...GET, '--output', 'link.json', '--force']);
    const pipe = await run([...GET, '--output', 'pipe.json', '--force']);

    assert.deepEqual([linked.code, await text('kept/real.json')], [0, BODY]);
    assert.equal(await readlink(path('link.json')), 'kept/real.json');
    assert.equal((await stat(path('kept/real.json'))).mode & 0o777, 0o600);
    assert.deepEqual([pipe.code, (await lstat(path('pipe.json'))).isFIFO()], [1, true]);
    assert.match(pipe.err, /pipe\.json is no regular file/);
  });

  it('named - is standard output, and an ending that names no form is refused', async () => {
    const out = await run([...GET, '--output', '-']);
    const sheet = await run([...GET, '--output', 'x.ods']);
    const stated = await run([...GET, '--output', 'x.txt', '--format', 'json']);

    assert.deepEqual([out.code, out.out, await stat(path('-')).catch(() => undefined)], [0, BODY, undefined]);
    assert.equal(sheet.code, 2);
    assert.match(sheet.err, /--output x\.ods: .*\.json, \.ndjson, \.csv, \.parquet, \.xlsx, or by --format/);
    assert.deepEqual([stated.code, await text('x.txt')], [0, BODY]);
  });

  it('in parts resumes by the same command, and says so when it is interrupted', async () => {
    let [parts, told] = [0, false];
    odd.answer = (_heard, response) => parts++ === 0 && json(response, [metricsRow()]);
    const args = ['report', 'metrics', '--from', '20240101', '--to', '20260319', '--output', 'parts.ndjson'];

    const { code, err } = await run(args, {
      watch: (_text: string, signal: (name: NodeJS.Signals) => void) => {
        if (parts > 1 && !told) signal('SIGINT');
        told = parts > 1;
      },
    });

    assert.equal(code, 130, err);
    assert.match(err, /interrupted\n {2}Run the same command again: it resumes after the last whole part\.\n$/);
    assert.deepEqual(await leftOf('parts.ndjson'), ['parts.ndjson.part', 'parts.ndjson.part.json']);
  });
});

/** The number of a process that has ended. */
function spawnedAndGone(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$']));
}
