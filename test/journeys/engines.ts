/**
 * The engines of a journey's service: stopping them is a real way to make it slow, killing them a real way to lose
 * them.
 */
import type { ClickHouseFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import type { DuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { nodesOf, type Running } from './service.ts';

/** The process of each node's engine. */
export const enginePids = ({ service }: Pick<Running, 'service'>): number[] =>
  nodesOf(service).map(({ stores }) => (stores.facts as DuckdbFacts | ClickHouseFacts).enginePid());

/** Signals the engines of all nodes. */
export function signalEngines(running: Pick<Running, 'service'>, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of enginePids(running)) process.kill(pid, signal);
}
