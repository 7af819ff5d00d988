/** `daypart serve`, and how a running service ends. */
import { type Config, isLoopback, readConfig } from '../config.ts';
import { openLog } from '../log.ts';
import { type Service, serve } from '../serve.ts';
import { readCommand } from './read.ts';

/** One clear warning when tokens would cross a network in the open. */
export function warnExposed(config: Config): void {
  if (isLoopback(config.host) || config.publicUrl?.startsWith('https:')) return;
  process.stderr.write(
    `Warning: listening on ${config.host} without TLS. Tokens and figures can be read on the way: put a TLS proxy in front and name its https origin with --public-url.\n`,
  );
}

/** How long a stop may take after the drain, before the process ends whatever is still open: 10 s in all by default. */
const STOP_MS = 8500;

/** Closes the service on SIGTERM or SIGINT and exits 0; resolves when it has closed. */
export function untilStopped(service: Service, { drainSeconds }: Pick<Config, 'drainSeconds'>): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(0), drainSeconds * 1000 + STOP_MS).unref();
      service.close().then(resolve, (error: Error) => {
        process.stderr.write(`daypart: ${error.message}\n`);
        process.exit(1);
      });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

export async function serveCommand(args: string[], out: (line: string) => void): Promise<void> {
  const config = readConfig(readCommand('serve', args).settings);
  const log = openLog(config.logLevel);
  const service = await serve(config, log);
  const stopped = untilStopped(service, config);
  warnExposed(config);
  out(`Daypart listens on ${service.baseUrl} (data in ${config.data})`);
  if (service.metricsPort !== undefined) out(`OpenMetrics on http://127.0.0.1:${service.metricsPort}/metrics`);
  if (isLoopback(config.host)) out('Make credentials with: daypart clients create --group NAME');
  await stopped;
}
