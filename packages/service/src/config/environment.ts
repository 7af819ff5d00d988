/** Environment variables with the service's prefix: secrets in files, and variables that Kubernetes sets. */
import { readFileSync } from 'node:fs';

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>;

/**
 * Variables that Kubernetes gives every pod for a Service whose name begins with `daypart`: `DAYPART_SERVICE_HOST`,
 * `DAYPART_PORT=tcp://10.0.0.7:8080`, `DAYPART_PORT_8080_TCP_ADDR` and the like. Two of them can have the names of
 * settings.
 */
const INJECTED = /^DAYPART_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const INJECTED_VALUE = /^(tcp|udp|sctp):\/\//;

/** Whether Kubernetes set the variable, rather than someone who configured this service. */
export const isInjected = (name: string, value: string | undefined): boolean =>
  INJECTED.test(name) || (/^DAYPART_(\w+_)?PORT$/.test(name) && INJECTED_VALUE.test(value ?? ''));

/**
 * The contents of a file, without the line feed and the byte order mark that editors add. Throws Error that says what
 * is wrong with it: a file that is empty by mistake must not count as a setting that is not set.
 */
export function readSecretFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`names a file that cannot be read: ${(error as Error).message}`);
  }
  const secret = text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`names an empty file: ${path}`);
  return secret;
}
