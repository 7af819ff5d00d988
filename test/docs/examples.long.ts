/** Runs every example of the docs, as CONTRIBUTING.md describes; an example that cannot be run here says why. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Demo, startDemo } from './demo.ts';
import { unlikeText } from './likeness.ts';
import { FILES, readBlocks, readText } from './markdown.ts';
import { runFile, startHost } from './session.ts';

describe('the examples of', () => {
  let demo: Demo;
  let host: Awaited<ReturnType<typeof startHost>>;
  let ran = 0;
  const notRun: string[] = [];
  before(async () => {
    [demo, host] = await Promise.all([startDemo(), startHost()]);
  });
  after(async () => {
    host.stop();
    await demo.stop();
  });

  for (const file of FILES) {
    const blocks = readBlocks(file, readText(file));
    if (blocks.length === 0) continue;
    it(`${file} do what it says`, async (context) => {
      const outcome = await runFile(blocks, demo, host.commandPort);

      ran += outcome.ran.length;
      notRun.push(...outcome.notRun.map(({ line, notRun: why }) => `${file}:${line}: ${why}`));
      context.diagnostic(`${outcome.ran.length} blocks run, ${outcome.notRun.length} not`);
      assert.equal(outcome.faults.join('\n\n'), '');
    });
  }

  it('all files together are mostly run', (context) => {
    context.diagnostic(`${ran} blocks run; not run:\n${notRun.join('\n')}`);

    assert.ok(ran > notRun.length, `${ran} run, ${notRun.length} not`);
  });
});

describe('an example', () => {
  const text = (body: string): string => body.replaceAll("'''", '```');

  it('that nothing is said of is a fault', async () => {
    const blocks = readBlocks('x.md', text("'''yaml\na: b\n'''\n"));

    const { faults, ran } = await runFile(blocks, {} as Demo, 0);

    assert.match(faults.join(), /^x\.md:1: neither run/);
    assert.equal(ran.length, 0);
  });

  it('may omit lines, and has a GUID twice only if both are the same', () => {
    const shown = 'a 1\n…\n9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31\n9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31';
    const [one, other] = ['aaaaaaaa-3d52-4a7b-8f10-2b6e4d9a7c31', 'bbbbbbbb-3d52-4a7b-8f10-2b6e4d9a7c31'];

    const unlike = [
      unlikeText(shown, `a 22\n${one}\n${one}\n`),
      unlikeText(shown, `a 22\nb\nc\r\n${one}\n${one}`),
      unlikeText(shown, `a 22\n${one}\n${other}`),
      unlikeText(shown, `a 22 b\n${one}\n${one}`),
    ];

    assert.deepEqual(
      unlike.map((fault) => fault === undefined),
      [true, true, false, false],
    );
  });

  it('that is not run says why', async () => {
    const blocks = readBlocks(
      'x.md',
      text("<!-- not run: needs a proxy -->\n\n'''nginx\na\n'''\n\n<!-- not run: -->\n'''sh\na\n'''\n"),
    );

    const { faults, notRun } = await runFile(blocks, {} as Demo, 0);

    assert.deepEqual(faults, ['x.md:8: say why it is not run']);
    assert.equal(notRun.length, 2);
  });
});
