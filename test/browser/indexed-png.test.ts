/** Pictures with a palette: what is written is what is read. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Picture, readPng, writeIndexedPng } from './indexed-png.ts';

const pictures = (colours: number): fc.Arbitrary<Picture> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 0xffffff }), { minLength: 1, maxLength: colours }),
    )
    .chain(([width, height, known]) =>
      fc
        .array(fc.constantFrom(...known), { minLength: width * height, maxLength: width * height })
        .map((pixels) => ({ width, height, pixels: Uint32Array.from(pixels) })),
    );

describe('a PNG with a palette', () => {
  it('has every pixel of a picture of no more colours', () => {
    fc.assert(
      fc.property(pictures(16), (picture) => {
        assert.deepEqual(readPng(writeIndexedPng(picture, 16)), picture);
      }),
    );
  });

  it('has no more colours than it may, and its most frequent ones as they were', () => {
    fc.assert(
      fc.property(pictures(60), fc.integer({ min: 2, max: 20 }), ({ width, height, pixels }, most) => {
        const common = pixels[0] ?? 0;
        const picture = { width, height: height * 3, pixels: new Uint32Array(width * height * 3).fill(common) };
        picture.pixels.set(pixels);
        const read = readPng(writeIndexedPng(picture, most));
        assert.ok(new Set(read.pixels).size <= most);
        for (const [at, pixel] of picture.pixels.entries()) if (pixel === common) assert.equal(read.pixels[at], common);
      }),
    );
  });
});
