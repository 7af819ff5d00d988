/** A path with its query; undefined values are omitted. */
export function withQuery(path: string, query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, `${value}`);
  return search.size > 0 ? `${path}?${search}` : path;
}
