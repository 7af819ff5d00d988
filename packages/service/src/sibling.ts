import { extname } from 'node:path';

/**
 * The module `name` beside the module `from` (its `import.meta.url`), run from its source (.ts) or as it was built
 * (.js).
 */
export const sibling = (name: string, from: string): URL => new URL(`./${name}${extname(from)}`, from);
