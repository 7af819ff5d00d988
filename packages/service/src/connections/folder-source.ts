/**
 * A kind of point of sale that answers no questions, but writes the files of each business date into a folder: nightly
 * exports. What is peculiar to where the folders are is behind this interface; `days.ts` decides what is read when.
 */
import type { Duplex } from 'node:stream';
import type { ConnectionSource, CredentialField } from '@daypart/client/source';
import type { Stream } from '../ledger/connection.ts';

export interface ListedFile {
  name: string;
  /** Bytes. */
  size: number;
  /** Seconds since 1970 UTC, by the clock of the server. */
  modifiedAt: number;
}

/** The folder of a business date. */
export interface ListedDay {
  /** YYYYMMDD. */
  date: number;
  /** Those that an import reads, by name. */
  files: ListedFile[];
}

/** What such a source may use. */
export interface FolderContext {
  readonly credentials: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** A connection to the server, to a public address unless others are allowed. It emits errors. */
  dial(): Duplex;
}

/** What the credentials reach. */
export interface FoldersReached {
  /** One for each restaurant, by name. */
  folders: string[];
  /** The fingerprint of the server's key: somebody confirms it before anything is stored. */
  hostKey: string;
}

export interface FolderSource {
  /** In the API and in the ledger, such as `exports`. */
  kind: string;
  title: string;
  /** What somebody who connects enters. The private key of `keyId` is added as `privateKey`. */
  credentials: Readonly<Record<string, CredentialField>>;
  /** Where the credentials say that the server is. */
  addressOf(credentials: Readonly<Record<string, string>>): { scheme: string; host: string; port: number };
  /** Throws Problem package_missing if something that the operator installs is missing. */
  check(): Promise<void>;
  /** Connects and lists the folders of restaurants. Throws SourceError. */
  folders(ctx: FolderContext): Promise<FoldersReached>;
  /** The dates that a restaurant's folder has, oldest first. Throws SourceError, restaurant_unknown if it has gone. */
  days(ctx: FolderContext, folder: string): Promise<ListedDay[]>;
  /**
   * Copies the files of a date into an empty folder of this machine. Throws SourceError, also if they are not as they
   * were listed.
   */
  fetch(ctx: FolderContext, folder: string, day: ListedDay, path: string): Promise<void>;
}

/** A source of any kind. */
export type AnySource = ConnectionSource | FolderSource;

/** Whether a source reads folders of files. */
export const isFolderSource = (source: AnySource): source is FolderSource => 'folders' in source;

/** What a person reads who has to decide whether a server is the right one. */
export const hostKeyText = (hostKey: string): string =>
  `The server identifies itself by the host key ${hostKey}, which was not confirmed. Compare it with what the point of sale or its support says; if it is right, confirm it as hostKey.`;

/**
 * The streams that the restaurants of a source have, the most urgent first. Of folders `orders` reads the dates that
 * are new, `backfill` those that are asked for again.
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
