/**
 * Statements of a server with replicas, for an engine that has none: it parses them as they are, then a single server's
 * are run in their place.
 */

/** The names in `ON CLUSTER`: of the only cluster that there is. */
export const CLUSTER = 'main';
const OF_REPLICAS = /\bon cluster\b|\bReplicatedMergeTree\b|^\s*(?:--[^\n]*\n\s*)*system sync replica\b/i;

/**
 * What to parse, and what to run; undefined for any other statement. Nothing is run where a single server has nothing
 * to do.
 */
export function ofSingleServer(query: string): { parsed: string; run: string | undefined } | undefined {
  if (/\bsystem\.clusters\b/.test(query)) {
    const clusters = `(select '${CLUSTER}' as cluster, 1 as shard_num)`;
    return { parsed: query, run: query.replace(/\bsystem\.clusters\b/, clusters) };
  }
  if (!OF_REPLICAS.test(query)) return undefined;
  if (/system sync replica/i.test(query)) return { parsed: query, run: undefined };
  const run = query
    .replace(new RegExp(`\\bon cluster '${CLUSTER}'`, 'i'), '')
    .replace(/ReplicatedMergeTree\('[^']*\{shard\}[^']*\{table\}', '\{replica\}'\)/, 'MergeTree');
  return { parsed: query, run };
}
