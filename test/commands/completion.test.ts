/** Completion, as the shells themselves do it. zsh and fish are asked where they are installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HELP } from '../../packages/service/src/commands/help.ts';
import { COMMANDS, TENDING } from '../../packages/service/src/terminal/commands.ts';
import { completionScript } from '../../packages/service/src/terminal/completion.ts';

const folder = mkdtempSync(join(tmpdir(), 'daypart-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'month.csv'), '');

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const missing = (shell: string) => (has(shell) ? false : `there is no ${shell} here`);

/** What bash offers after the words; the last is the one that is typed. */
function inBash(...words: string[]): string[] {
  const script = `${completionScript(['bash'])}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _daypart; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'daypart', ...words], { cwd: folder });
  return String(out).split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('offers commands, words, flags, values and files', () => {
    assert.deepEqual(inBash('re'), ['report', 'restaurants', 'restore']);
    assert.deepEqual(inBash('report', ''), ['metrics', 'checks']);
    assert.deepEqual(inBash('report', 'metrics', '--la'), ['--last-week', '--last-7-days', '--last-month']);
    assert.deepEqual(inBash('report', 'metrics', '--format', 'c'), ['csv']);
    assert.deepEqual(inBash('report', 'metrics', '--format', '=', 'p'), ['parquet']);
    assert.deepEqual(inBash('report', 'metrics', '--by', ''), [
      'dining-option',
      'revenue-center',
      'order-source',
      'hour',
    ]);
    assert.deepEqual(inBash('get', '--output', 'mo'), ['month.csv']);
    assert.deepEqual(inBash('get', '--kind', ''), ['metrics', 'checks']);
    assert.deepEqual(inBash('report', 'metrics', '--client-id', ''), []);
    assert.deepEqual(inBash('completion', ''), ['bash', 'zsh', 'fish']);
    assert.deepEqual(inBash('clients', 'cr'), ['create']);
    assert.deepEqual(inBash('serve', '--meta'), []);
    assert.deepEqual(inBash('serve', '--metr'), ['--metrics-port']);
  });

  it('is bound to the command when the script is read', () => {
    const out = execFileSync('bash', ['--norc', '-c', `${completionScript(['bash'])}\ncomplete -p daypart`]);

    assert.match(String(out), /-F _daypart daypart/);
  });
});

describe('completion in zsh', { skip: missing('zsh') }, () => {
  it('is read without a complaint, and bound to the command', () => {
    const script = `autoload -Uz compinit && compinit -D -u\n${completionScript(['zsh'])}\nprint -r -- $_comps[daypart]`;

    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script]);

    assert.deepEqual([String(stdout), String(stderr)], ['_daypart\n', '']);
  });
});

describe('completion in fish', { skip: missing('fish') }, () => {
  const inFish = (line: string): string[] => {
    const file = join(folder, 'daypart.fish');
    writeFileSync(file, completionScript(['fish']));
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
    assert.deepEqual(inFish('daypart report ').sort(), ['checks', 'metrics']);
    assert.deepEqual(inFish('daypart report metrics --last-').sort(), ['--last-7-days', '--last-month', '--last-week']);
    assert.deepEqual(inFish('daypart get --format c'), ['csv']);
    assert.deepEqual(inFish('daypart get --output mo'), ['month.csv']);
  });
});

describe('the table of commands', () => {
  it('has those that the help has, and the other way round', () => {
    const helped = new Set([...HELP.matchAll(/^ {2}daypart ([a-z]+)/gm)].map(([, name]) => name));

    assert.deepEqual([...helped].sort(), [...COMMANDS, ...TENDING].map(({ name }) => name).sort());
  });

  it('has every flag that the help names for commands that tend a service', () => {
    const known = new Set(TENDING.flatMap(({ flags }) => flags.map(({ name }) => `--${name}`)));
    const tending = HELP.slice(0, HELP.indexOf('Reports, from'));

    const strange = (tending.match(/--[a-z][a-z-]+/g) ?? []).filter((flag) => !known.has(flag));

    assert.deepEqual(strange, ['--help', '--version']);
  });
});
