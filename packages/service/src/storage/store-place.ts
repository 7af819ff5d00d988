/** The place of an embedded store in a data folder, which can be inspected without opening the store. */
export interface StorePlace {
  /** The file, relative to the data folder, without which the store does not exist. */
  file: string;
  /**
   * What an open store continues to use, relative to the data folder: if it is removed or replaced, nothing more is
   * kept.
   */
  held: readonly string[];
  /**
   * Whether the data folder has it; a file that is empty is not one. Throws Error with a sentence if the folder may not
   * be read, or something else is in its place.
   */
  isIn(data: string): Promise<boolean>;
  /** Bytes on disk; undefined for a store on a server. Never throws for files that appear and disappear meanwhile. */
  size(data: string): Promise<number | undefined>;
}

/** A store whose schema changes between versions. */
export interface SchemaPlace extends StorePlace {
  /** The newest schema that this version knows. */
  newestSchema(): number;
}

/** The place of the ledger. */
export interface LedgerPlace extends SchemaPlace {
  /** Stops what must not continue by itself in a copy of the folder. */
  settleCopy(data: string): void;
}

/** The places of the three stores. */
export interface StorePlaces {
  ledger: LedgerPlace;
  facts: SchemaPlace;
  results: StorePlace;
}
