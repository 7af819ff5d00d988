/** Completion in the shells themselves. zsh and fish are tested if they are installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { commandsOf, findCommand, flagsOf, listed, readArguments, TABLES } from '@daypart/cli';
import { completionScript } from '../../packages/cli/src/completion.ts';
import { commandHelp, overviewOf } from '../../packages/cli/src/help.ts';
import { PROGRAM } from '../../packages/service/src/program.ts';

const ALL = commandsOf(PROGRAM);
const COMMANDS = listed(ALL);
const OVERVIEW = overviewOf(PROGRAM);
const WORDS = TABLES.map(({ word }) => word);

const folder = mkdtempSync(join(tmpdir(), 'daypart-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'month.csv'), '');

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const missing = (shell: string) => (has(shell) ? false : `there is no ${shell} here`);

/** What bash offers after the words; the last is the one that is typed. */
function inBash(...words: string[]): string[] {
  const script = `${completionScript(PROGRAM, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _daypart; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'daypart', ...words], { cwd: folder });
  return String(out).split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('offers commands, words, flags, values and files', () => {
    assert.deepEqual(inBash('re'), ['report', 'restaurants', 'restore']);
    assert.deepEqual(inBash('report', ''), WORDS);
    assert.deepEqual(inBash('report', 'metrics', '--last-'), [
      '--last-week',
      ...[7, 14, 28, 30, 90].map((days) => `--last-${days}-days`),
      '--last-month',
    ]);
    assert.deepEqual(inBash('report', 'metrics', '--format', 'c'), ['csv']);
    assert.deepEqual(inBash('report', 'metrics', '--format', '=', 'p'), ['parquet']);
    const splits = inBash('report', 'metrics', '--by', '');
    for (const word of ['dining-option', 'revenue-center', 'order-source', 'hour'])
      assert.ok(splits.includes(word), splits.join(' '));
    assert.deepEqual(inBash('get', '--output', 'mo'), ['month.csv']);
    assert.deepEqual(inBash('get', '--kind', ''), WORDS);
    assert.deepEqual(inBash('report', 'metrics', '--client-id', ''), []);
    assert.deepEqual(inBash('completion', ''), ['bash', 'zsh', 'fish']);
    assert.deepEqual(inBash('clients', 'cr'), ['create']);
    assert.deepEqual(inBash('clients', 'create', '--dialect', ''), ['reference', 'live']);
    assert.deepEqual(inBash('clients', 'revoke', '--gr'), []);
    assert.deepEqual(inBash('serve', '--meta'), []);
    assert.deepEqual(inBash('serve', '--metr'), ['--metrics-port', '--metrics-host']);
  });

  it('is bound to the command when the script is read', () => {
    const out = execFileSync('bash', ['--norc', '-c', `${completionScript(PROGRAM, 'bash')}\ncomplete -p daypart`]);

    assert.match(String(out), /-F _daypart daypart/);
  });
});

describe('completion in zsh', { skip: missing('zsh') }, () => {
  it('is read without a complaint, and bound to the command', () => {
    // By a file: an argument may have 128 KiB, and the script has more.
    const file = join(folder, 'daypart.zsh');
    writeFileSync(file, completionScript(PROGRAM, 'zsh'));
    const script = `autoload -Uz compinit && compinit -D -u\nsource ${file}\nprint -r -- $_comps[daypart]`;

    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script]);

    assert.deepEqual([String(stdout), String(stderr)], ['_daypart\n', '']);
  });
});

describe('completion in fish', { skip: missing('fish') }, () => {
  const inFish = (line: string): string[] => {
    const file = join(folder, 'daypart.fish');
    writeFileSync(file, completionScript(PROGRAM, 'fish'));
    const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
      cwd: folder,
    });
    return String(stdout)
      .split('\n')
      .map((one) => one.split('\t')[0] ?? '')
      .filter(Boolean);
  };

  it('offers commands, words, flags, values and files', () => {
    assert.deepEqual(inFish('daypart re').sort(), ['report', 'restaurants', 'restore']);
    assert.deepEqual(inFish('daypart report ').sort(), [...WORDS].sort());
    assert.deepEqual(
      inFish('daypart report metrics --last-').sort(),
      ['week', '7-days', '14-days', '28-days', '30-days', '90-days', 'month'].map((word) => `--last-${word}`).sort(),
    );
    assert.deepEqual(inFish('daypart clients ').sort(), ['create', 'list', 'revoke', 'rotate', 'webhook']);
    assert.deepEqual(inFish('daypart get --format c'), ['csv']);
    assert.deepEqual(inFish('daypart get --output mo'), ['month.csv']);
  });
});

describe('the table of commands', () => {
  it('has every command in the help of all, and an example that each command takes', () => {
    for (const { name, args } of COMMANDS)
      assert.ok(OVERVIEW.includes(`  daypart ${[name, ...args].join(' ')}  `), name);
    for (const command of COMMANDS) {
      assert.ok(command.examples.length > 0, `${command.name} has no example`);
      for (const [, words] of command.examples) assert.doesNotThrow(() => readExample(words), words);
    }
  });

  it('has every flag of a command in its help, those that are deprecated left out, and no flag twice', () => {
    for (const command of COMMANDS) {
      const names = flagsOf(command).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, `${command.name} has a flag twice`);
      for (const { name, deprecated } of command.flags)
        assert.equal(!deprecated, commandHelp(command).includes(`\n  --${name}`), name);
    }
  });
});

/** Reads the words of an example as the command would, up to a redirection. */
function readExample(line: string): void {
  const words = (line.split(/ [<>]/)[0] ?? '').match(/"[^"]*"|\S+/g) ?? [];
  const found = findCommand(
    ALL,
    words.map((word) => word.replaceAll('"', '')),
  );
  assert.ok(found);
  readArguments(found.command, found.rest);
}
