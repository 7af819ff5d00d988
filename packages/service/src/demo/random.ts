/**
 * A seeded random number generator. Node's own cannot be seeded, and the demo must generate the same orders on every
 * start. It is sfc32: four 32-bit additions for each number, and a state of 128 bits. With a 32-bit state (mulberry32),
 * streams of the many restaurants and days would overlap and give the same GUIDs twice.
 */

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  /** One element of the list, all equally likely. Throws on an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One value, with a probability in proportion to its weight. Throws on an empty list. */
  weighted<T>(pairs: readonly (readonly [weight: number, value: T])[]): T;
  /** Approximately normal, mean 0 and standard deviation 1, never beyond ±3. */
  bell(): number;
  /** A GUID in the form of a UUID version 4. */
  guid(): string;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(word: number): string {
  return `${HEX[word >>> 24]}${HEX[(word >>> 16) & 255]}${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state;
}

/** The stream of a name: the same name gives the same numbers on every machine. */
export function createRandom(name: string): Random {
  let a = hash(`a${name}`);
  let b = hash(`b${name}`);
  let c = hash(`c${name}`);
  let d = hash(`d${name}`);

  function word(): number {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  for (let i = 0; i < 15; i++) word();

  const next = (): number => word() / 4294967296;
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[whole(0, list.length - 1)] as T;
    },
    weighted<T>(pairs: readonly (readonly [number, T])[]): T {
      let rest = next() * pairs.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of pairs) {
        rest -= weight;
        if (rest < 0) return value;
      }
      const last = pairs.at(-1);
      if (!last) throw new Error('nothing to pick from');
      return last[1];
    },
    bell: () => (next() + next() + next() - 1.5) * 2,
    guid() {
      const [first, second, third] = [hex(word()), hex(word()), hex((word() & 0x3fffffff) | 0x80000000)];
      return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-${third.slice(0, 4)}-${third.slice(4)}${hex(word())}`;
    },
  };
}
