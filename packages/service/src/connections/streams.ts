/** Which streams the restaurants of a source have. */
import type { Stream } from '../ledger/connection.ts';
import { type AnySource, isFolderSource } from './folder-source.ts';

/**
 * The most urgent first. Of folders `orders` reads the dates that are new, `backfill` those that are asked for again.
 */
export function streamsOfSource(source: AnySource): Stream[] {
  if (isFolderSource(source)) return ['settings', 'orders', 'backfill'];
  const { timeEntries, names, menus } = source;
  return [
    'settings',
    'orders',
    ...(timeEntries ? (['timeEntries'] as const) : []),
    ...(names ? (['names'] as const) : []),
    'check',
    ...(menus ? (['menus'] as const) : []),
    'backfill',
  ];
}
