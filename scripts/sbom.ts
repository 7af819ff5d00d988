/** What the service consists of, as a software bill of materials: CycloneDX 1.6, from the lock file. */

/** An entry of `packages` in package-lock.json (version 3). */
interface Locked {
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
export type LockFile = { packages: Record<string, Locked> };

interface Found {
  path: string;
  entry: Locked;
  name: string;
  reference: string;
}

/** The entry that Node finds for a name from the folder of another, following links to workspaces. */
function resolve({ packages }: LockFile, from: string, name: string): Found | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    const entry = packages[path];
    if (entry?.link) return found(packages, entry.resolved ?? '', name);
    if (entry) return found(packages, path, name);
    if (folder === '') return undefined;
  }
}

function found(packages: LockFile['packages'], path: string, name: string): Found {
  const entry = packages[path];
  if (!entry) throw new Error(`the lock file has no ${path}`);
  return { path, entry, name, reference: `pkg:npm/${name.replace('@', '%40')}@${entry.version}` };
}

/** A component, with the digest that npm verifies. */
function componentOf({ entry, name, reference }: Found) {
  const [, scope, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [algorithm, digest] = entry.integrity?.split('-') ?? [];
  const isExpression = /[ ()]/.test(entry.license ?? '');
  return {
    type: 'library',
    'bom-ref': reference,
    ...(scope ? { group: scope } : {}),
    name: plain,
    version: entry.version,
    scope: entry.optional ? 'optional' : 'required',
    ...(algorithm === 'sha512' && digest
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...(entry.license
      ? { licenses: [isExpression ? { expression: entry.license } : { license: { id: entry.license } }] }
      : {}),
    purl: reference,
    ...(entry.resolved?.startsWith('https:')
      ? { externalReferences: [{ type: 'distribution', url: entry.resolved }] }
      : {}),
  };
}

/**
 * The document of a workspace with everything that it installs, for every platform. `at` is an ISO instant. Throws
 * Error if the lock file lacks a required package.
 */
export function sbomOf(lock: LockFile, workspace: { path: string; name: string }, at: string) {
  const root = found(lock.packages, workspace.path, workspace.name);
  const seen = new Map<string, Found>([[root.path, root]]);
  const dependencies: { ref: string; dependsOn: string[] }[] = [];
  // A map is read in the order of its keys, those that are added meanwhile included.
  for (const { path, entry, reference } of seen.values()) {
    const uses = new Set<string>();
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      const used = resolve(lock, path, name);
      if (!used && !entry.optionalDependencies?.[name]) throw new Error(`the lock file lacks ${name} of ${path}`);
      if (!used) continue;
      uses.add(used.reference);
      if (!seen.has(used.path)) seen.set(used.path, used);
    }
    dependencies.push({ ref: reference, dependsOn: [...uses].sort() });
  }
  const { type: _library, scope: _scope, ...own } = componentOf(root);
  const [, ...others] = [...seen.values()].map(componentOf);
  const components = new Map(others.map((component) => [component.purl, component]));
  const graph = new Map(dependencies.map((one) => [one.ref, one]));
  const order = (one: string, other: string): number => (one < other ? -1 : 1);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: at, component: { type: 'application', ...own } },
    components: [...components.values()].sort((a, b) => order(a.purl, b.purl)),
    dependencies: [...graph.values()].sort((a, b) => order(a.ref, b.ref)),
  };
}
