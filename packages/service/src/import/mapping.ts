/** The `--columns` file: names of columns that an operator renamed in the export. */
import { closest } from 'fastest-levenshtein';
import { FILE_NAMES, FILES, type FileName, plainHeader } from './file-columns.ts';

/** By file, the operator's header for a column's own header, both normalised by `plainHeader`. */
export type Mapping = Record<FileName, ReadonlyMap<string, string>>;

const headersOf = (file: FileName): string[] => Object.values(FILES[file]).map(({ header }) => header);
const emptyMapping = (): Record<FileName, Map<string, string>> => ({
  OrderDetails: new Map(),
  CheckDetails: new Map(),
  PaymentDetails: new Map(),
  ItemSelectionDetails: new Map(),
  ModifiersSelectionDetails: new Map(),
  TimeEntries: new Map(),
});

export const NO_MAPPING: Mapping = emptyMapping();

/**
 * Parses `{"Net Price": "Nettopreis", "OrderDetails": {"Amount": "Summe"}}`: maps a column's name to the operator's,
 * for every file that has the column, or under a file's name for that file. Throws an Error that says what is wrong
 * with it.
 */
export function readMapping(json: string): Mapping {
  const mapping = emptyMapping();
  for (const [name, value] of entriesOf(parseJson(json), 'it')) {
    const file = FILE_NAMES.find((known) => known.toLowerCase() === name.toLowerCase().replace(/\.csv$/, ''));
    if (file) {
      for (const [header, theirs] of entriesOf(value, name)) setColumn(mapping, [file], header, theirs);
    } else {
      setColumn(mapping, FILE_NAMES, name, value);
    }
  }
  return mapping;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`);
  }
}

function entriesOf(value: unknown, name: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new Error(`${name} must be an object such as {"Net Price": "your name of it"}`);
}

function setColumn(
  mapping: Record<FileName, Map<string, string>>,
  files: readonly FileName[],
  header: string,
  theirs: unknown,
): void {
  if (typeof theirs !== 'string' || plainHeader(theirs) === '') throw new Error(`${header} must be a column's name`);
  const having = files.filter((file) => headersOf(file).some((own) => plainHeader(own) === plainHeader(header)));
  if (having.length === 0) {
    const known = [...new Set(files.flatMap(headersOf))];
    throw new Error(`there is no column ${header}; did you mean ${closest(header, known)}?`);
  }
  for (const file of having) mapping[file].set(plainHeader(header), plainHeader(theirs));
}
