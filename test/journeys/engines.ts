/**
 * The engines of a journey's service: stopping them is a real way to make it slow, killing them a real way to lose
 * them.
 */
import type { ClickHouseFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import type { DuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import { nodesOf, type Running } from './service.ts';

/** The process of each node's engine. */
export const enginePids = ({ service }: Pick<Running, 'service'>): number[] =>
  nodesOf(service).map(({ stores }) => (stores.facts as DuckdbFacts | ClickHouseFacts).enginePid());

/** Signals the engines of all nodes. */
export function signalEngines(running: Pick<Running, 'service'>, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of enginePids(running)) process.kill(pid, signal);
}

/** Resolves once the engines of all nodes answer again, those that were killed among them. */
export async function untilEnginesAnswer({ service }: Pick<Running, 'service'>): Promise<void> {
  const ping = (facts: Facts): Promise<void> => facts.ping(30_000);
  // The first call may be the one that notices that the engine is gone.
  await Promise.all(nodesOf(service).map(({ stores: { facts } }) => ping(facts).catch(() => ping(facts))));
}
