/** `daypart serve`, and how a running service ends. */
import { resolve } from 'node:path';
import type { Effects } from '@daypart/cli';
import { type Config, isLoopback } from '../config/config.ts';
import { hostInAddress } from '../config/setting.ts';
import { openLog } from '../log.ts';
import { type Service, serve } from '../serve.ts';
import { StorageLost } from '../storage/folder-watch.ts';
import type { Stores } from '../stores.ts';
import { readCommand, readSettings } from './arguments.ts';
import { quotedPath } from './lines.ts';

/** Warns once if tokens would cross a network unencrypted. */
export function warnExposed(config: Config, { stderr }: Effects): void {
  if (isLoopback(config.host) || config.publicUrl?.startsWith('https:')) return;
  stderr.write(
    `Warning: listening on ${config.host} without TLS. Tokens and figures can be read in transit: put a TLS proxy in front and name its https origin with --public-url.\n`,
  );
}

/** Kubernetes sets variables of a Service whose names can equal or resemble those of settings. */
function warnIgnored({ ignored }: Config, { stderr }: Effects): void {
  if (ignored.length === 0) return;
  stderr.write(
    `Warning: ignored ${ignored.sort().join(', ')}: Kubernetes sets them for a Service. Set the port with --port, or enableServiceLinks: false on the pod.\n`,
  );
}

/** See docs/stability.md#deprecation. */
function warnDeprecated({ deprecated }: Config, { stderr }: Effects): void {
  for (const { former, current } of deprecated) stderr.write(`Warning: ${former} is deprecated; use ${current}\n`);
}

/** How long a stop may take after the drain before the process exits anyway: 10 s in total by default. */
const STOP_MS = 8500;

/** How long a process that has lost its data folder still answers: probes fail, and calls in progress get their 503. */
const LOST_MS = 1000;

/** Ends the process with exit code 1, in a line that says why, once the data folder is lost. */
export function endWhenLost({ folder }: Pick<Stores, 'folder'>, { stderr, exit }: Effects): void {
  void folder?.lost.then(({ message }) => {
    stderr.write(`daypart: ${message}\n`);
    // Not closed: closing would write and remove files by their names.
    setTimeout(() => exit(1), LOST_MS);
  });
}

/** Closes the service on SIGTERM or SIGINT and exits 0; resolves when it has closed. */
export function untilStopped(
  service: Service,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
  { stderr, onSignal, exit }: Effects,
): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => exit(0), drainSeconds * 1000 + STOP_MS).unref();
      service.close().then(resolve, (error: Error) => {
        if (!(error instanceof StorageLost)) stderr.write(`daypart: ${error.message}\n`);
        exit(1);
      });
    };
    onSignal('SIGTERM', stop);
    onSignal('SIGINT', stop);
  });
}

/**
 * `daypart serve`: starts the service and resolves when it has stopped. Throws when a setting is wrong or a store
 * cannot be opened.
 */
export async function serveCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const config = readSettings(readCommand('serve', args).settings, effects);
  const log = openLog(config.logLevel, effects.stderr);
  const service = await serve(config, log);
  endWhenLost(service.stores, effects);
  const stopped = untilStopped(service, config, effects);
  warnExposed(config, effects);
  warnIgnored(config, effects);
  warnDeprecated(config, effects);
  out(`Daypart listens on ${service.baseUrl} (data in ${config.data})`);
  if (service.metricsPort !== undefined)
    out(`OpenMetrics on http://${hostInAddress(config.metricsHost)}:${service.metricsPort}/metrics`);
  const data = quotedPath(resolve(config.data));
  if (service.hasConsole) out(`Console on ${service.origin}/; a link to sign in: daypart console-link --data ${data}`);
  const clients = await service.stores.ledger.clients();
  if (clients.length === 0) out(`Create credentials with: daypart clients create --group NAME --data ${data}`);
  await stopped;
}
