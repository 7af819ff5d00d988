/** The unknown words of a body that were read as another: docs/loading.md#unknown-words. */
import type { UnknownWord } from './source.ts';

/** How many an answer lists; a sender's enumerations have fewer words. */
export const MOST_NOTES = 100;

/** An unknown word, and the first place in the body that has it. */
export interface LoadNote extends UnknownWord {
  /** 0-based place of the record in the body. */
  index: number;
  guid: string;
  /** How many places have it. */
  count: number;
}

export interface Notes {
  /** In the order of the body. */
  list(): LoadNote[];
  /** Adds the words of an accepted record. */
  add(index: number, guid: string, words: readonly UnknownWord[]): void;
}

export function createNotes(): Notes {
  const notes = new Map<string, LoadNote>();
  return {
    list: () => [...notes.values()],
    add(index, guid, words) {
      for (const { pointer, message } of words) {
        const note = notes.get(message);
        if (note) note.count++;
        else if (notes.size < MOST_NOTES) notes.set(message, { index, guid, pointer, message, count: 1 });
      }
    },
  };
}
