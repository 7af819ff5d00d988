/** PNG with a palette: pictures of screens have few colours, and take a third of the bytes. */
import assert from 'node:assert/strict';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  /** A pixel is 0xRRGGBB; row by row. */
  pixels: Uint32Array;
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
/** What is left of an expression of neighbours: the filter of PNG that is named after Paeth. */
function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function chunksOf(png: Buffer): Map<string, Buffer> {
  assert.deepEqual(png.subarray(0, 8), SIGNATURE);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  return chunks;
}

/** The rows of a picture without their filters, each of `stride` bytes. */
function unfiltered(data: Buffer, height: number, stride: number, step: number): Buffer {
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < step ? 0 : (rows[at - step] ?? 0);
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = x < step || y === 0 ? 0 : (rows[at - stride - step] ?? 0);
      const added = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      rows[at] = (data[y * (stride + 1) + 1 + x] ?? 0) + added;
    }
  }
  return rows;
}

/** Reads a PNG of 8 bits a channel, opaque or not, or with a palette, without interlacing. */
export function readPng(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const head = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] ?? 0];
  const step = { 2: 3, 3: 1, 6: 4 }[kind];
  assert.ok(step !== undefined && head[8] === 8 && head[12] === 0, 'a PNG of 8 bits, not interlaced');
  const rows = unfiltered(inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0)), height, width * step, step);
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = step === 1 ? palette.readUIntBE((rows[at] ?? 0) * 3, 3) : rows.readUIntBE(at * step, 3);
  return { width, height, pixels };
}

const channel = (colour: number, at: number): number => (colour >> (16 - 8 * at)) & 255;

/** How different two colours are, as a sum of squares. */
function distance(one: number, other: number): number {
  let sum = 0;
  for (let at = 0; at < 3; at++) sum += (channel(one, at) - channel(other, at)) ** 2;
  return sum;
}

type Counted = readonly [colour: number, count: number];

/** The channel in which the colours are furthest apart, and how far. */
function widest(colours: readonly Counted[]): { at: number; range: number } {
  const ranges = [0, 1, 2].map((at) => {
    const values = colours.map(([colour]) => channel(colour, at));
    return { at, range: values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255) };
  });
  return ranges.reduce((best, one) => (one.range > best.range ? one : best));
}

/** Up to `most` colours that stand for all: boxes of colours are halved, the widest first. */
function medianCut(colours: readonly Counted[], most: number): number[] {
  const boxes = [[...colours]];
  while (boxes.length < most) {
    const ranges = boxes.map((box) => (box.length < 2 ? 0 : widest(box).range));
    const index = ranges.indexOf(Math.max(...ranges));
    const box = boxes[index];
    if (!box || box.length < 2) break;
    const { at } = widest(box);
    box.sort(([one], [other]) => channel(one, at) - channel(other, at));
    boxes.splice(index, 1, box.slice(0, box.length >> 1), box.slice(box.length >> 1));
  }
  return boxes.map((box) => {
    const all = box.reduce((sum, [, count]) => sum + count, 0);
    return [0, 1, 2].reduce((colour, at) => {
      const mean = box.reduce((sum, [one, count]) => sum + channel(one, at) * count, 0) / Math.max(1, all);
      return colour * 256 + Math.round(mean);
    }, 0);
  });
}

/**
 * The colours that the picture is written with: those of its surfaces and texts as they are, and some for the edges of
 * letters.
 */
function paletteOf({ pixels }: Picture, most: number): number[] {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const common = [...counts].sort(([, one], [, other]) => other - one);
  if (common.length <= most) return common.map(([colour]) => colour);
  const kept = most >> 1;
  return [...common.slice(0, kept).map(([colour]) => colour), ...medianCut(common.slice(kept), most - kept)];
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** Writes a picture with at most `colours` colours, 256 or fewer. One of no more colours stays as it is. */
export function writeIndexedPng(picture: Picture, colours: number): Buffer {
  const { width, height, pixels } = picture;
  const palette = paletteOf(picture, colours);
  const places = new Map(palette.map((colour, index) => [colour, index]));
  const placeOf = (pixel: number): number => {
    const known = places.get(pixel);
    if (known !== undefined) return known;
    const distances = palette.map((colour) => distance(colour, pixel));
    const nearest = distances.indexOf(Math.min(...distances));
    places.set(pixel, nearest);
    return nearest;
  };
  // Without a filter: palette places of neighbours have nothing to do with each other.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf(pixels[y * width + x] ?? 0);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) entries.writeUIntBE(colour, index * 3, 3);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
