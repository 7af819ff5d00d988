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
  /node_modules\/(preact|d3-)|packages\/client\/(?!src\/(families|records|resources\/(access|checks|imports)))|console\/src\/(main|app|screens\.ts|screens\/(overview\/(?!first-run)|gate|sign-in|welcome|not-found|unloaded)|model(?!\/(exports|loaded|mix))|charts|data(?!\/(access|checks|drop|families|imports|incomplete|labor|menu|report\.))|(?:widgets|features)(?!\/(confirm|daypart-editor|incomplete|windowed)))/;

/** A function of d3-shape, and the prototype that is assigned to it. */
const CURVE = /^function (\w+)\(.*\) \{\n(?:.*\n)*?\}\n+\1\.prototype = \{\n(?:.*\n)*?\};/gm;

/** Lets rolldown remove the 16 curves of d3-shape that the console does not draw: 1.2 kB of the first script. */
const removableCurves = {
  name: 'removable-curves',
  transform: {
    filter: { id: /d3-shape/ },
    handler: (code) =>
      code
        .replace(CURVE, (curve, name) => `const ${name} = /* @__PURE__ */ (() => {\n${curve}\nreturn ${name};\n})();`)
        .replaceAll('= (function custom(', '= /* @__PURE__ */ (function custom('),
  },
};

/**
 * Methods that nothing calls, of the virtual table and of paths (the console draws straight lines): no bundler can
 * remove those of a class. 1 kB of all scripts.
 */
const UNUSED =
  /^ {4}this\.(?:scrollToIndex|scrollBy|takeSnapshot|getVirtualItemForOffset) = [\s\S]*?^ {4}\};\n|^ {2}(?:quadraticCurveTo|arcTo|arc|rect)\(.*\) \{\n[\s\S]*?^ {2}\}\n/gm;

const unusedMethods = {
  name: 'unused-methods',
  transform: { filter: { id: /virtual-core|d3-path/ }, handler: (code) => code.replace(UNUSED, '') },
};

/** Tokens first, print last, the rest by name; without comments and the space that no browser needs. */
function styleSheet() {
  const folder = join(source, 'src/styles');
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const rank = (name) => (name === 'tokens.css' ? 0 : name === 'print.css' ? 2 : 1);
  files.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
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
    transform: { target: 'es2022' },
    plugins: [removableCurves, unusedMethods],
    // What d3-array and d3-shape compute when they are loaded, and the console does not use. `propertyWriteSideEffects:
    // false` would save the same without a plugin, but also drops writes inside functions of Preact.
    treeshake: {
      manualPureFunctions: ['bisector', 'shuffler', 'curveRadial', 'readRecord', 'requestsOf'],
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
          {
            name: 'tables',
            test: /virtual-core|console\/src\/((?:widgets|features)\/(daypart-editor|windowed|incomplete)|data\/(incomplete|menu)|model\/mix|screens\/(menu|restaurants?)\/)/,
          },
          { name: 'analysis', test: /console\/src\/(screens\/(compare|labour)|data\/labor)/ },
          // Screens of the service need the code of reports: two files were 1.4 kB more in all.
          {
            name: 'service',
            test: /packages\/client\/src\/resources\/(access|imports)|console\/src\/(screens\/(access|data|health|more|reports|overview\/first-run)|(?:widgets|features)\/confirm|data\/(access|drop|families|imports|report\.)|model\/(exports|loaded))/,
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
