/** GUIDs derived from names: the same id of the same restaurant has the same GUID in every import. */
import { namedGuid } from '../ingest/guids.ts';

/** `check-number` names a check of which only its order and its number are known. */
export type Kind =
  | ('order' | 'check' | 'check-number' | 'item' | 'payment' | 'entry' | 'employee' | 'job')
  | ('menu-item' | 'menu-item-name' | 'menu-group-name' | 'menu-name');
export type GuidOf = (kind: Kind, id: string) => string;

/** Derives GUIDs within a restaurant. */
export const guidsOf =
  (restaurantGuid: string): GuidOf =>
  (kind, id) =>
    namedGuid(restaurantGuid, `${kind}:${id}`);
