/** Names in docs and comments exist: links and their anchors, flags, settings, problem codes, paths of the service. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandsOf, flagsOf, spellingsOf, VARIABLES } from '@daypart/cli';
import { fileVariableOf, SETTINGS, type SettingName, variableOf } from '../../packages/service/src/config/config.ts';
import { FORMER } from '../../packages/service/src/config/former-settings.ts';
import { PROBLEMS } from '../../packages/service/src/contract/problems.ts';
import { anchorOf } from '../../packages/service/src/docs-site/guides.ts';
import { PROGRAM } from '../../packages/service/src/program.ts';
import { type Running, startJourney } from '../journeys/service.ts';
import { FILES, ROOT, readText } from './markdown.ts';

const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const ALL = [...FILES, ...decisions, 'ARCHITECTURE.md', 'CHANGELOG.md', 'bench/README.md'];

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`);
/** Code, whose comments cite the docs. */
const SOURCES = ['packages', 'test', 'bench', 'scripts'].flatMap(sourcesIn);

/** Variables that are no settings of the service. */
const OTHER_VARIABLES = [...VARIABLES, 'DAYPART_CHROMIUM'];
/** Flags of other programs that the docs name alone. */
const OTHER_FLAGS = ['--ulimit'];
/** Errors of RFC 6749, besides the problem codes of everything else. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unsupported_grant_type',
  'unauthorized_client',
];

const proseOf = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(readText(file)).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading.replaceAll('`', ''));
    let [free, times] = [anchor, 0];
    while (anchors.has(free)) free = `${anchor}-${++times}`;
    anchors.add(free);
  }
  return anchors;
}

/** Every match of a pattern's first group that is not among the known, with its file. */
function unknown(pattern: RegExp, isKnown: (name: string) => boolean): string[] {
  return ALL.flatMap((file) =>
    [...readText(file).matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !isKnown(name))
      .map((name) => `${file}: ${name}`),
  );
}

describe('the docs name only', () => {
  let running: Running;
  before(async () => {
    running = await startJourney();
  });
  after(() => running.stop());

  it('files and headings that are there', () => {
    const broken: string[] = [];
    for (const file of ALL) {
      for (const [, target = ''] of proseOf(readText(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [path = '', anchor] = target.split('#');
        const found = path === '' ? file : join(dirname(file), path);
        const isThere = existsSync(join(ROOT, found));
        if (!isThere || (anchor && !anchorsOf(found).has(anchor))) broken.push(`${file}: ${target}`);
      }
    }

    assert.deepEqual(broken, []);
  });

  it('files and headings that are there, in the code too', () => {
    const broken = SOURCES.flatMap((file) =>
      [...readText(file).matchAll(/(?<![\w./-])((?:docs\/[\w/-]+|ARCHITECTURE|CONTRIBUTING)\.md)(?:#([\w-]+))?/g)]
        .filter(([, path = '', anchor]) => !existsSync(join(ROOT, path)) || (anchor && !anchorsOf(path).has(anchor)))
        .map(([target]) => `${file}: ${target}`),
    );

    assert.ok(SOURCES.length > 300);
    assert.deepEqual(broken, []);
  });

  it('documents that are in the repository, by their path', () => {
    const cited = SOURCES.flatMap((file) =>
      (readText(file).match(/\b(?:CONTRACT|METRICS|DESIGN) \d[\d.]*/g) ?? []).map((citation) => `${file}: ${citation}`),
    );

    assert.deepEqual(cited, []);
  });

  it('settings that the service has', () => {
    const variables = [
      ...(Object.keys(SETTINGS) as SettingName[]).flatMap((name) =>
        [variableOf(name), fileVariableOf(name) ?? []].flat(),
      ),
      ...FORMER.map(variableOf),
      'DAYPART_SERVICE_HOST',
      ...OTHER_VARIABLES,
    ];

    assert.deepEqual(
      unknown(/\b(DAYPART_[A-Z][A-Z_]*[A-Z])\b/g, (name) => variables.includes(name)),
      [],
    );
  });

  it('flags that the command has', () => {
    const flags = new Set([
      ...OTHER_FLAGS,
      '--help',
      '--version',
      ...commandsOf(PROGRAM)
        .flatMap(flagsOf)
        .flatMap((flag) => (flag.deprecated ? [`--${flag.name}`] : spellingsOf(flag))),
      '--last-N-days',
    ]);
    const lines = /\bdaypart ((?:[^\n`|;]|\\\n)*)/g;
    const wrong = ALL.flatMap((file) =>
      [...readText(file).matchAll(lines)]
        .flatMap(([, words = '']) => words.match(/(?<= )--[a-z][a-zN\d-]*/g) ?? [])
        .filter((flag) => !flags.has(flag))
        .map((flag) => `${file}: ${flag}`),
    );
    const alone = FILES.filter((file) => file.startsWith('docs/')).flatMap((file) =>
      [...readText(file).matchAll(/`(--[a-z][a-zN\d-]*)[^`\n]*`/g)]
        .filter(([, flag = '']) => !flags.has(flag))
        .map(([, flag]) => `${file}: ${flag}`),
    );

    assert.deepEqual([...wrong, ...alone], []);
  });

  it('problem codes that are answered', () => {
    const known = [...Object.keys(PROBLEMS), ...OAUTH_ERRORS];

    assert.deepEqual(
      unknown(/\b[45]\d\d:? `([a-z]+(?:_[a-z]+)+)`/g, (code) => known.includes(code)),
      [],
    );
  });

  it('operations that the service answers', () => {
    const plain = (call: string): string =>
      call
        .replace(/ (\{base(_url)?\}|\/(era\/)?v1(?=\/))/, ' base')
        .replace(/[:{$][A-Za-z]+}?/g, '*')
        .replace(/\/$/, '');
    // A parameter that is spelled out may be named by any of its values.
    const calls = running.service.routes.flatMap(({ method, url, operation }) => {
      const { name, operations = {} } = operation?.spelledOut ?? {};
      return [url, ...Object.keys(operations).map((value) => url.replace(`:${name}`, value))].map((path) =>
        plain(`${method} ${path}`),
      );
    });
    const isAnswered = (call: string): boolean =>
      call.endsWith('/…') ? calls.some((one) => one.startsWith(call.slice(0, -1))) : calls.includes(call);
    const named = /`((?:GET|PUT|POST|DELETE|PATCH|HEAD) (?:\{base(?:_url)?\})?\/[^`\s?]*)[^`]*`/g;

    const wrong = FILES.flatMap((file) =>
      [...readText(file).matchAll(named)]
        .map(([, call = '']) => call)
        .filter((call) => !isAnswered(plain(call)))
        .map((call) => `${file}: ${call}`),
    );

    assert.deepEqual(wrong, []);
  });
});
