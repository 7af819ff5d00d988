/** Quotes a path for a shell if necessary. */
export const quoted = (path: string): string =>
  /^[\w./~+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
