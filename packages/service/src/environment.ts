/** Environment variables of the service's prefix: secrets that are kept in files, and what others set. */
import { readFileSync } from 'node:fs';

/**
 * Variables that Kubernetes gives every pod for a Service whose name begins with `daypart`: `DAYPART_SERVICE_HOST`,
 * `DAYPART_PORT=tcp://10.0.0.7:8080`, `DAYPART_PORT_8080_TCP_ADDR` and their like. Two of them may be called as settings are.
 */
const INJECTED = /^DAYPART_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const INJECTED_VALUE = /^(tcp|udp|sctp):\/\//;

/** Whether Kubernetes set it, and nobody who meant this service. */
export const isInjected = (name: string, value: string | undefined): boolean =>
  INJECTED.test(name) || (/^DAYPART_(\w+_)?PORT$/.test(name) && INJECTED_VALUE.test(value ?? ''));

/** What a file holds, without the line feed that editors put at its end. Throws Error with what is wrong with it. */
export function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`names a file that cannot be read: ${(error as Error).message}`);
  }
}
