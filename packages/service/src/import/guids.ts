/** Name-based GUIDs (RFC 9562, version 5): the same id of the same restaurant has the same GUID in every import. */
import { v5 } from 'uuid';

/** `check-number` names a check of which only its order and its number are known. */
export type Kind = 'order' | 'check' | 'check-number' | 'item' | 'payment' | 'entry' | 'employee' | 'job';
export type GuidOf = (kind: Kind, id: string) => string;

/** Names GUIDs within a restaurant. */
export function guidsOf(restaurantGuid: string): GuidOf {
  // As bytes: written out, the library takes only GUIDs whose version it knows.
  const namespace = Buffer.from(restaurantGuid.replaceAll('-', ''), 'hex');
  return (kind, id) => v5(`${kind}:${id}`, namespace);
}
