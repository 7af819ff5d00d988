/** A source with what it needs to read one connection. */

import type { ConnectionSource, SourceContext, SourceRestaurant } from '@daypart/client/source';
import type { Connection } from '../ledger/connection.ts';
import type { FolderContext, FolderSource } from './folder-source.ts';

/** The folders of a connection, with its credentials. */
export interface OpenFolders {
  source: FolderSource;
  /** What the source may use, until the signal is aborted. */
  folderContext(signal: AbortSignal): FolderContext;
  readonly isClockWrong: boolean;
  release(): void;
}

/** The source of a connection, with its credentials, limits and session. */
export interface OpenSource {
  source: ConnectionSource;
  /** What the source may use for a restaurant, or for the connection itself; calls of a lower priority come first. */
  context(of: {
    restaurant: SourceRestaurant | null;
    restaurantGuid?: string;
    stream: string;
    priority: number;
    signal: AbortSignal;
  }): SourceContext;
  /** Whether the clock of the point of sale differs from ours by more than ten minutes. */
  readonly isClockWrong: boolean;
  /** The run is over; the connection may be opened again. */
  release(): void;
}

/**
 * Opens the source of a connection; the signal is aborted when another node, or nobody, is to read it. Throws
 * SourceError for an unknown kind, and SecretUnreadable.
 */
export type OpenConnection = (connection: Connection, signal: AbortSignal) => Promise<OpenSource | OpenFolders>;
