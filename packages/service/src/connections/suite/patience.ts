/** How long the suite waits for a source, and how much one read may bring: one that never ends is named. */
import { SaidError } from './said.ts';

/** One call of a function of the source. */
export interface SourceCall {
  /** The function and its arguments, and the restaurant. */
  name: string;
  gives: 'page' | 'answer' | 'module';
  pages: number;
  calls: number;
}

/** A read that nothing has been counted of. */
export const readOf = (name: string, gives: SourceCall['gives']): SourceCall => ({ name, gives, pages: 0, calls: 0 });

/** The import of a module. */
export const importOf = (file: string): SourceCall => readOf(`the import of ${file}`, 'module');

/** What one read may bring. */
const MOST = 10_000;
/** Looks within the time in which something has to move: a computer that sleeps misses one, not all. */
const LOOKS = 20;

/** A read has no end, so the suite ends. */
export class EndlessError extends SaidError {}

export class Patience {
  readonly #ms: number;
  readonly #most: number;
  readonly #reads = new Set<SourceCall>();
  readonly #ended = Promise.withResolvers<never>();
  #isEnded = false;
  #exchanges = 0;
  #looks = 0;

  /** Something has to move within so many milliseconds of real time; a read brings at most so many pages or calls. */
  constructor(ms: number, most = MOST) {
    this.#ms = ms;
    this.#most = most;
    this.#ended.promise.catch(() => undefined);
    setInterval(() => this.#look(), ms / LOOKS).unref();
  }

  /** Whether the suite has ended because a read has no end. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Something has moved. */
  move(): void {
    this.#looks = 0;
  }

  /** The work, unless a read has no end: then throws EndlessError. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#ended.promise]);
  }

  /** What a read gives. Throws EndlessError, and what the work throws. */
  async await<T>(read: SourceCall, work: () => Promise<T>): Promise<T> {
    this.move();
    this.#reads.add(read);
    try {
      return await this.race(work());
    } finally {
      this.#reads.delete(read);
      this.move();
    }
  }

  /** An exchange with the point of sale, which has a deadline of its own. */
  async exchange<T>(work: () => Promise<T>): Promise<T> {
    this.#exchanges++;
    try {
      return await work();
    } finally {
      this.#exchanges--;
      this.move();
    }
  }

  /** Counts a page or a call of a read. Throws EndlessError. */
  count(read: SourceCall | undefined, what: 'pages' | 'calls'): void {
    if (!read || ++read[what] <= this.#most) return;
    throw this.#end(`${read.name} has no end: more than ${this.#most.toLocaleString('en')} ${what}`);
  }

  #look(): void {
    // One that was called last may be what the others wait for, as a sign-in is.
    const read = [...this.#reads].at(-1);
    if (!read || this.#exchanges > 0 || ++this.#looks < LOOKS) return;
    this.#end(`${read.name} gave no ${read.gives} for ${this.#ms / 1000} s`);
  }

  #end(message: string): EndlessError {
    const error = new EndlessError(message);
    this.#isEnded = true;
    this.#ended.reject(error);
    return error;
  }
}
