/** Reports saved to files from a real service: completely or not at all, resumed where the connection broke. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Running } from '../journeys/service.ts';
import { type Desk, openLine } from './desk.ts';
import { DAY, openTrading, type Trading } from './trading.ts';

describe('reports into a file', () => {
  let trading: Trading;
  let running: Running;
  let desk: Desk;
  let token: string;
  let secret: Trading['secret'];
  let env: Trading['env'];
  let base: string;
  let server: Trading['server'];
  let run: Trading['run'];
  before(async () => {
    trading = await openTrading();
    ({ running, desk, token, secret, env, base, server, run } = trading);
  });
  after(() => trading.close());

  it('are there whole or not at all, under the form that the name says, and replace nothing unasked', async () => {
    const file = join(desk.folder, 'day.csv');

    const first = await run(['report', 'checks', ...DAY, '--output', 'day.csv']);
    const size = (await stat(file)).size;
    await writeFile(file, 'mine');
    const second = await run(['report', 'checks', ...DAY, '--output', 'day.csv']);
    const mine = await readFile(file, 'utf8');
    const third = await run(['report', 'checks', ...DAY, '--output', 'day.csv', '--force']);

    assert.deepEqual([first.code, first.out, first.err], [0, '', '']);
    assert.deepEqual([second.code, mine, third.code, (await stat(file)).size], [1, 'mine', 0, size]);
    assert.match(second.err, /day\.csv already exists\n {2}Replace it with --force\.\n$/);
    assert.deepEqual(
      (await readdir(desk.folder)).filter((name) => name.includes('.part')),
      [],
    );
  });

  it('resume where the connection broke, as often as it does', async () => {
    const line = await openLine(base);
    line.carries = 400_000;
    try {
      const { code, err } = await run(['report', 'checks', ...DAY, '--format', 'json', '--output', 'cut.json'], {
        DAYPART_URL: line.base,
      });
      const got = await readFile(join(desk.folder, 'cut.json'), 'utf8');

      assert.equal(code, 0, err);
      assert.equal(JSON.parse(got).length, 3001);
      assert.ok(line.ranges.length >= 2, line.ranges.join());
      assert.equal(new Set(line.ranges).size, line.ranges.length);
    } finally {
      await line.close();
    }
  });

  it('resume where an earlier run was interrupted, when the same is requested again', async () => {
    const line = await openLine(base);
    line.carries = 500_000;
    line.stalls = true;
    const part = join(desk.folder, 'stalled.json.part');
    const args = ['report', 'checks', ...DAY, '--output', 'stalled.json'];
    const options = { env: { ...env, DAYPART_URL: line.base } };
    try {
      let told = false;
      const cut = await desk.spawn(args, {
        ...options,
        watch: (_text, signal) => {
          if (told) return;
          void stat(part).then(
            ({ size }) => {
              if (size < 300_000 || told) return;
              told = true;
              signal('SIGINT');
            },
            () => undefined,
          );
        },
      });
      const have = (await stat(part)).size;
      const memory = JSON.parse(await readFile(`${part}.json`, 'utf8'));
      line.carries = Number.POSITIVE_INFINITY;
      const again = await desk.run(args, options);

      assert.equal(cut.code, 130);
      assert.match(cut.err, /interrupted\n {2}Run the same command again: it resumes\.\n$/);
      assert.equal(again.code, 0, again.err);
      assert.deepEqual(line.ranges, [`bytes=${have}-`]);
      assert.equal(await readFile(join(desk.folder, 'stalled.json'), 'utf8'), await server(`/check/${memory.guid}`));
      assert.deepEqual(
        (await readdir(desk.folder)).filter((name) => name.startsWith('stalled.json.')),
        [],
      );
    } finally {
      await line.close();
    }
  });

  it('begin again where what was begun has expired, or is not what the service has', async () => {
    const [file, args] = [join(desk.folder, 'old.csv'), ['report', 'checks', ...DAY, '--output', 'old.csv', '--force']];
    const line = await openLine(base);
    line.carries = 300_000;
    line.stalls = true;
    const memoryOf = async () => JSON.parse(await readFile(`${file}.part.json`, 'utf8'));
    // A process of its own has connections of its own, each of which carries so many bytes.
    const begin = () =>
      desk.spawn(args, {
        env: { ...env, DAYPART_URL: line.base },
        watch: (_text, signal) =>
          void stat(`${file}.part`).then(
            ({ size }) => size > 100_000 && signal('SIGINT'),
            () => undefined,
          ),
      });
    try {
      await begin();
      const { guid } = await memoryOf();
      await running.call('DELETE', `/reports/${guid}`, { token });
      line.carries = Number.POSITIVE_INFINITY;
      const expired = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });
      const whole = (await stat(file)).size;

      line.carries = 300_000;
      await begin();
      const memory = await memoryOf();
      await writeFile(`${file}.part`, 'x'.repeat(200_000));
      line.carries = Number.POSITIVE_INFINITY;
      const spoilt = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });
      const third = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });

      assert.deepEqual([expired.code, expired.err], [0, '']);
      assert.notEqual(memory.guid, guid);
      assert.equal(spoilt.code, 1);
      assert.match(spoilt.err, /old\.csv does not match the digest of the service/);
      assert.deepEqual([third.code, (await stat(file)).size], [0, whole]);
    } finally {
      await line.close();
      await rm(file, { force: true });
    }
  });

  it('in parts resume after the last part', async () => {
    const [file, args] = [
      join(desk.folder, 'years.ndjson'),
      ['report', 'metrics', '--from', '20240101', '--to', '20260319', '--output', 'years.ndjson'],
    ];
    const first = await run(args);
    const whole = await readFile(file, 'utf8');
    await rm(file);
    // What a run that was cut after its second part leaves.
    const what = JSON.stringify([
      base,
      secret.id,
      'metrics',
      { start: '20240101', end: '20260319' },
      [],
      false,
      false,
      { restaurantIds: [], excludedRestaurantIds: [] },
      'ndjson',
      false,
    ]);
    await writeFile(`${file}.part`, '{"kept":1}\nhalf a li');
    await writeFile(`${file}.part.json`, JSON.stringify({ what, cursor: '20260102', bytes: 11 }));

    const again = await run(args);

    assert.deepEqual([first.code, again.code, again.err], [0, 0, '']);
    assert.equal(await readFile(file, 'utf8'), `{"kept":1}\n${whole}`);

    // Sorted rows are other bytes: a run that sorts does not leave them to be resumed as these.
    await rm(file);
    await writeFile(`${file}.part`, '{"kept":1}\n');
    await writeFile(`${file}.part.json`, JSON.stringify({ what, cursor: '20260102', bytes: 11 }));
    const sorted = await run([...args, '--sort', 'date', '--timeout', '0.000001']);
    assert.equal(sorted.code, 5, sorted.err);
    assert.deepEqual(
      (await readdir(desk.folder)).filter((name) => name.startsWith('years.')),
      [],
    );
  });
});
