/**
 * Reads a JSON document of any length and keeps only what is used of it, which is a few percent of the menus of a POS.
 */
import { setImmediate } from 'node:timers/promises';
import { placeText } from '../contract/json.ts';
import { JsonBroken, type JsonEvents, JsonScan } from '../contract/json-scan.ts';
import { fieldProblem, Problem, placeName, pointerTo } from '../contract/problems.ts';

interface Pruning {
  /** The properties that are kept, at any depth; of all others the values are skipped. */
  names: ReadonlySet<string>;
  /** The most entries of arrays that are kept, together. */
  mostEntries: number;
}

/** Deeper values are not kept: the readers of bodies refuse what nests half as deep. */
const DEEPEST_KEPT = 128;
/** The deepest nesting, of skipped values too. */
const DEEPEST = 1000;

interface Open {
  value: Record<string, unknown> | unknown[];
  /** The property that is read. */
  name: string;
}

/**
 * Builds the value. Of a root object the first unknown property is kept too, as null, so that its reader can refuse it.
 */
class PrunedValue implements JsonEvents {
  root: unknown;
  readonly #pruning: Pruning;
  readonly #open: Open[] = [];
  #skipped = 0;
  #entries = 0;
  #hasStrange = false;

  constructor(pruning: Pruning) {
    this.#pruning = pruning;
  }

  /** Whether the value that begins is kept. */
  #isKept(): boolean {
    const above = this.#open.at(-1);
    return this.#skipped === 0 && (!above || Array.isArray(above.value) || this.#pruning.names.has(above.name));
  }

  wantsText(isName: boolean): boolean {
    return isName ? this.#skipped === 0 : this.#isKept();
  }

  open(bracket: '{' | '['): void {
    if (this.#open.length + this.#skipped >= DEEPEST) throw this.#refused(`is nested more than ${DEEPEST} levels deep`);
    if (!this.#isKept() || this.#open.length >= DEEPEST_KEPT) {
      this.#skipped++;
      return;
    }
    const value = bracket === '{' ? {} : [];
    this.#put(value);
    this.#open.push({ value, name: '' });
  }

  close(): void {
    if (this.#skipped > 0) this.#skipped--;
    else this.#open.pop();
  }

  name(name: string): void {
    const [root] = this.#open;
    const above = this.#open.at(-1);
    if (this.#skipped > 0 || !above) return;
    above.name = name;
    if (above !== root || this.#hasStrange || this.#pruning.names.has(name)) return;
    this.#hasStrange = true;
    Object.defineProperty(root.value, name, { value: null, enumerable: true });
  }

  value(value: string | number | boolean | null): void {
    if (this.#isKept()) this.#put(value);
  }

  #put(value: unknown): void {
    const above = this.#open.at(-1);
    if (!above) this.root = value;
    else if (!Array.isArray(above.value)) above.value[above.name] = value;
    else {
      if (this.#entries++ === this.#pruning.mostEntries)
        throw this.#refused(
          `is one entry too many: the lists of the body may have ${this.#pruning.mostEntries} together`,
        );
      above.value.push(value);
    }
  }

  /** The problem of the value that begins. */
  #refused(message: string): Problem {
    const pointer = this.#open.reduce((at, { value, name }, depth) => {
      if (!Array.isArray(value)) return pointerTo(at, name);
      // The list that is open inside of another is in it already.
      return `${at}/${depth < this.#open.length - 1 ? value.length - 1 : value.length}`;
    }, '');
    return fieldProblem('invalid_body', pointer, `${placeName(pointer)} ${message}.`);
  }
}

/**
 * The value of a body, as `JSON.parse` would return it without the properties that are not kept. Reads in pieces, and
 * waits for
 * `untilTurn` between them. Throws Problem invalid_json with line and column, invalid_body with the pointer, and what
 * the body throws.
 */
export async function readPruned(
  body: AsyncIterable<Buffer>,
  pruning: Pruning,
  untilTurn: () => Promise<void> = setImmediate,
): Promise<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const built = new PrunedValue(pruning);
  const scan = new JsonScan(built);
  let isEmpty = true;
  const push = (piece?: Buffer): void => {
    let text: string;
    try {
      text = decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new Problem('invalid_json', 'The body is not valid UTF-8.', { cause });
    }
    scan.push(text);
  };
  try {
    for await (const piece of body) {
      if (piece.length > 0) isEmpty = false;
      push(piece);
      await untilTurn();
    }
    if (isEmpty) throw new Problem('invalid_json', 'The body is empty; a JSON object is required.');
    push();
    scan.end();
  } catch (error) {
    if (!(error instanceof JsonBroken)) throw error;
    throw new Problem('invalid_json', `The body is not valid JSON: ${placeText(error)}: ${error.message}.`);
  }
  return built.root;
}
