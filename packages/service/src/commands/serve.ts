/** `daypart serve`, and how a running service ends. */
import { resolve } from 'node:path';
import { type Config, isLoopback, readConfig } from '../config/config.ts';
import { openLog } from '../log.ts';
import { type Service, serve } from '../serve.ts';
import { StorageLost } from '../storage/folder-watch.ts';
import type { Stores } from '../stores.ts';
import { quoted } from './quoted.ts';
import { readCommand } from './read.ts';

/** Warns once if tokens would cross a network unencrypted. */
export function warnExposed(config: Config): void {
  if (isLoopback(config.host) || config.publicUrl?.startsWith('https:')) return;
  process.stderr.write(
    `Warning: listening on ${config.host} without TLS. Tokens and figures can be read in transit: put a TLS proxy in front and name its https origin with --public-url.\n`,
  );
}

/** Kubernetes sets variables of a Service whose names can equal or resemble those of settings. */
function warnIgnored({ ignored }: Config): void {
  if (ignored.length === 0) return;
  process.stderr.write(
    `Warning: ignored ${ignored.sort().join(', ')}: Kubernetes sets them for a Service. Set the port with --port, or enableServiceLinks: false on the pod.\n`,
  );
}

/** See docs/stability.md#deprecation. */
function warnDeprecated({ deprecated }: Config): void {
  for (const { given, current } of deprecated)
    process.stderr.write(`Warning: ${given} is deprecated; use ${current}\n`);
}

/** How long a stop may take after the drain before the process exits anyway: 10 s in total by default. */
const STOP_MS = 8500;

/** How long a process that has lost its data folder still answers: probes fail, and calls in progress get their 503. */
const LOST_MS = 1000;

/** Ends the process with exit code 1, in a line that says why, once the data folder is lost. */
export function endWhenLost({ folder }: Pick<Stores, 'folder'>): void {
  void folder?.lost.then(({ message }) => {
    process.stderr.write(`daypart: ${message}\n`);
    // Not closed: closing would write and remove files by their names.
    setTimeout(() => process.exit(1), LOST_MS);
  });
}

/** Closes the service on SIGTERM or SIGINT and exits 0; resolves when it has closed. */
export function untilStopped(service: Service, { drainSeconds }: Pick<Config, 'drainSeconds'>): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(0), drainSeconds * 1000 + STOP_MS).unref();
      service.close().then(resolve, (error: Error) => {
        if (!(error instanceof StorageLost)) process.stderr.write(`daypart: ${error.message}\n`);
        process.exit(1);
      });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

/** `daypart serve`: starts the service and resolves when it has stopped. Throws when a setting is wrong or a store cannot be opened. */
export async function serveCommand(args: string[], out: (line: string) => void): Promise<void> {
  const config = readConfig(readCommand('serve', args).settings);
  const log = openLog(config.logLevel);
  const service = await serve(config, log);
  endWhenLost(service.stores);
  const stopped = untilStopped(service, config);
  warnExposed(config);
  warnIgnored(config);
  warnDeprecated(config);
  out(`Daypart listens on ${service.baseUrl} (data in ${config.data})`);
  if (service.metricsPort !== undefined) {
    const host = config.metricsHost.includes(':') ? `[${config.metricsHost}]` : config.metricsHost;
    out(`OpenMetrics on http://${host}:${service.metricsPort}/metrics`);
  }
  const data = quoted(resolve(config.data));
  if (service.hasConsole) out(`Console on ${service.origin}/; a link to sign in: daypart console-link --data ${data}`);
  const clients = await service.stores.ledger.clients();
  if (clients.length === 0) out(`Create credentials with: daypart clients create --group NAME --data ${data}`);
  await stopped;
}
