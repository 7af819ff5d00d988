/** Settings that limit connections and their use. */
import { readFileSync } from 'node:fs';
import { seconds, setting, whole } from './setting.ts';

/** How many files this process may have open; the usual minimum if the system does not say. */
function openFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024);
  } catch {
    return 1024;
  }
}

/** The number of connections that leaves a quarter of the files, and at least 128, for stores, spools and results. */
const connectionsFor = (files: number): number =>
  Math.min(100_000, Math.max(16, files - Math.max(128, Math.ceil(files / 4))));

export const connectionSettings = {
  clientLoads: setting({
    parse: whole(1, 100_000),
    default: 100,
    help: 'Concurrent loads of one client; the next is 429',
  }),
  clientDownloads: setting({
    parse: whole(1, 100_000),
    default: 100,
    help: 'Concurrent retrievals of more than 64 KiB by one client; the next is 429',
  }),
  maxConnections: setting({
    parse: whole(1, 1_000_000),
    default: connectionsFor(openFiles()),
    defaultText: 'three quarters of the files that the process may open',
    help: 'Concurrent connections; beyond them only /livez is answered',
  }),
  headerSeconds: setting({
    parse: seconds(0.1, 3600),
    default: 15,
    help: 'Longest time for the headers of a request to arrive',
  }),
  requestSeconds: setting({
    parse: seconds(0.1, 3600),
    default: 30,
    help: 'Longest time for a request to arrive; a load may take longer, but may not pause for longer',
  }),
  readSeconds: setting({
    parse: seconds(0.1, 86_400),
    default: 60,
    help: 'Longest time in which a client accepts no byte of an answer before its connection is closed',
  }),
} as const;
