/** What an embedded store keeps in a data folder: known without opening the store. */
export interface StorePlace {
  /** Within the data folder: without this file there is no such store. */
  file: string;
  /** Whether the data folder has anything of it. */
  isIn(data: string): Promise<boolean>;
  /** Bytes on disk. Never throws for files that come and go. */
  size(data: string): Promise<number>;
}

/** A store whose schema changes from version to version. */
export interface SchemaPlace extends StorePlace {
  /** The newest schema that this version knows. */
  newestSchema(): number;
}

/** Those of the three stores. */
export interface StorePlaces {
  ledger: SchemaPlace;
  facts: SchemaPlace;
  results: StorePlace;
}
