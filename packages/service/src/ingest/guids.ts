/**
 * Name-based GUIDs (RFC 9562, version 5): the same id of the same restaurant has the same GUID in every import, and
 * each time that it is read.
 */
import { v5 } from 'uuid';

/** `check-number` names a check of which only its order and its number are known. */
type Kind =
  | ('order' | 'check' | 'check-number' | 'item' | 'payment' | 'entry' | 'employee' | 'job')
  | ('menu-item' | 'menu-item-name' | 'menu-group-name' | 'menu-name');
export type GuidOf = (kind: Kind, id: string) => string;

/** The GUID of a name within the namespace of another GUID, of any version. */
export const namedGuid = (namespace: string, name: string): string =>
  // As bytes, because the library accepts text only for GUIDs of a known version.
  v5(name, Buffer.from(namespace.replaceAll('-', ''), 'hex'));

/** Derives GUIDs within a restaurant. */
export const guidsOf =
  (restaurantGuid: string): GuidOf =>
  (kind, id) =>
    namedGuid(restaurantGuid, `${kind}:${id}`);
