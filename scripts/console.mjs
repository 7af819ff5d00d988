// Builds packages/console into packages/service/static/console: index.html, one style sheet, the script of the shell
// with the first screens, and a chunk for each other screen. Names have the hash of what is in them, so that browsers
// keep them for ever. Run by scripts/prepare.mjs when a source has changed, and for the package of the service.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'packages/console');
const target = join(root, 'packages/service/static/console');
/** Where the service serves the files. */
const PUBLIC = '/console';

/** What the overview needs, and other screens too: the first script, with the entry itself. */
const FIRST =
  /node_modules\/preact|packages\/client\/(?!src\/(families|records|resources\/(access|checks|connections|imports)))|console\/src\/(main|app|screens\.ts|screens\/(overview\/|sign-in|not-found|unloaded)|model(?!\/(exports|loaded|mix|people|worked-out))|charts|data(?!\/(access|checks|connections|drop|families|imports|labor|menu|report\.|shifts))|(?:widgets|features)(?!\/(confirm|data-tabs|daypart-editor|definition|dialog|sorted-table|incomplete|windowed|row-window)))/;

/** Elements by `h` of Preact, whose children are arguments: the calls of `jsx-runtime` name them. 0.9 kB. */
const ELEMENTS = {
  jsx: { runtime: 'classic', pragma: 'jsxElement', pragmaFrag: 'jsxFragment' },
  inject: { jsxElement: ['preact', 'h'], jsxFragment: ['preact', 'Fragment'] },
};

/** Custom properties whose values the scripts set: they keep their names. */
const SET_BY_SCRIPTS = new Set(['--height', '--phone']);

/** Gives all other custom properties short names: 0.15 kB. */
function shorten(style) {
  const names = [...new Set(style.match(/--[a-z][a-z0-9-]*/g))].filter((name) => !SET_BY_SCRIPTS.has(name));
  return style.replace(/--[a-z][a-z0-9-]*/g, (name) =>
    SET_BY_SCRIPTS.has(name) ? name : `--${names.indexOf(name).toString(36)}`,
  );
}

/** Tokens first, print last, the rest by name; without comments and the space that no browser needs. */
function styleSheet() {
  const folder = join(source, 'src/styles');
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const rank = (name) => (name === 'tokens.css' ? 0 : name === 'print.css' ? 2 : 1);
  files.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const style = files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .replaceAll(' / ', '/')
    .replace(/\b0\./g, '.')
    .replace(/#(\w)\1(\w)\2(\w)\3\b/g, '#$1$2$3')
    .trim();
  return shorten(style);
}

/** Builds all of it; throws what rolldown throws. */
export async function buildConsole() {
  const { build } = await import('rolldown');
  rmSync(target, { recursive: true, force: true });
  const { output } = await build({
    input: { console: join(source, 'src/main.tsx') },
    cwd: source,
    platform: 'browser',
    tsconfig: join(source, 'tsconfig.json'),
    transform: { target: 'es2022', jsx: ELEMENTS.jsx, inject: ELEMENTS.inject },
    // What the client computes when it is loaded, and the console does not use. `propertyWriteSideEffects: false` would
    // save more, but also drops writes inside functions of Preact.
    treeshake: {
      manualPureFunctions: ['readRecord', 'requestsOf'],
      // No source reads a property or a global only for what reading it does.
      propertyReadSideEffects: false,
      unknownGlobalSideEffects: false,
    },
    resolve: { alias: { '@daypart/client': join(root, 'packages/client/src/index.ts') } },
    output: {
      dir: target,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      minify: true,
      // Marks of pure calls are for bundlers, which have read them by now: 1.1 kB of all scripts.
      comments: { annotation: false, jsdoc: false },
      // Few files instead of one for each set of screens that share something.
      codeSplitting: {
        groups: [
          { name: 'console', test: FIRST },
          // And what opens on a click: a file of its own was 0.4 kB more.
          {
            name: 'tables',
            test: /console\/src\/((?:widgets|features)\/(daypart-editor|definition|dialog|sorted-table|windowed|row-window|incomplete)|data\/(incomplete|labor|menu|shifts)|model\/(mix|people|worked-out)|screens\/(of-sales|(compare|labour|menu|restaurants?)\/))/,
          },
          // Screens of the service need the code of reports: two files were 1.4 kB more in all.
          {
            name: 'service',
            test: /packages\/client\/src\/resources\/(access|imports)|console\/src\/(screens\/(of-service|access|data|health|more|reports)|(?:widgets|features)\/(confirm|data-tabs)|data\/(access|drop|families|imports|report\.)|model\/(exports|loaded))/,
          },
          {
            name: 'connections',
            test: /resources\/connections|console\/src\/(screens\/(of-connections|connections)|data\/connections)/,
          },
        ],
      },
    },
  });
  const entry = output.find((one) => one.isEntry);
  const style = styleSheet();
  const styleName = `console-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`;
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, styleName), style);
  const icon = readFileSync(join(source, 'icon.svg'), 'utf8').trim();
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('ICON', `data:image/svg+xml,${encodeURIComponent(icon)}`)
    .replace('STYLE', `${PUBLIC}/${styleName}`)
    .replace('SCRIPT', `${PUBLIC}/${entry.fileName}`)
    .replace('PRELOAD', entry.imports.map((name) => `<link rel="modulepreload" href="${PUBLIC}/${name}">`).join('\n'));
  writeFileSync(join(target, 'index.html'), page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
