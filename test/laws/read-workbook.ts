/** Reads a workbook (.xlsx) as a naive reader does: the parts of its ZIP by the directory, cells by their places. */
import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/** The parts of a ZIP by name. The heads before the parts must say what the directory says. */
export function unzipped(file: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const is64 = file.readUInt32LE(end + 16) === 0xffffffff;
  const record = is64 ? Number(file.readBigUInt64LE(end - 20 + 8)) : end;
  const count = file.readUInt16LE(end + 10);
  let at = is64 ? Number(file.readBigUInt64LE(record + 48)) : file.readUInt32LE(end + 16);
  for (let nth = 0; nth < count; nth++) {
    assert.equal(file.readUInt32LE(at), 0x02014b50);
    const [nameLength, extraLength] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30)];
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = at + 46 + nameLength;
    const wide = (field: number, index: number): number =>
      file.readUInt32LE(field) === 0xffffffff
        ? Number(file.readBigUInt64LE(extra + 4 + index * 8))
        : file.readUInt32LE(field);
    const [bytes, compressed, offset] = [wide(at + 24, 0), wide(at + 20, 1), wide(at + 42, 2)];
    // Versions, flags, method, time, checksum and lengths.
    assert.deepEqual(file.subarray(offset + 4, offset + 28), file.subarray(at + 6, at + 30), name);
    const from = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
    const content = inflateRawSync(file.subarray(from, from + compressed));
    assert.deepEqual([content.length, crc32(content)], [bytes, file.readUInt32LE(at + 16)], name);
    parts.set(name, content);
    at = extra + extraLength + file.readUInt16LE(at + 32);
  }
  return parts;
}

/** The characters of a text: of entities first, then of ECMA-376 22.9.2.19. */
const textOf = (xml: string): string =>
  xml
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export interface SheetCell {
  /** `text`, `boolean` or `number`. */
  type: string;
  value: string;
  /** The code or number of its format. */
  format: string;
}

const ATTRIBUTES = /(\w+)="([^"]*)"/g;

/** The formats of cells by their style. */
function formatsOf(styles: string): string[] {
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id = '', code = '']) => [
      id,
      textOf(code),
    ]),
  );
  const [, cells = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
  return [...cells.matchAll(/numFmtId="(\d+)"/g)].map(([, id = '']) => codes.get(id) ?? id);
}

/** The cells of a sheet, row by row, by the letters of their columns. Their places must be in order, none twice. */
export function sheetRows(parts: Map<string, Buffer>, sheet: 1 | 2): Map<string, SheetCell>[] {
  const xml = parts.get(`xl/worksheets/sheet${sheet}.xml`)?.toString() ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
  assert.doesNotMatch(xml, /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
  const formats = formatsOf(parts.get('xl/styles.xml')?.toString() ?? '');
  return [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, row = ''], index) => {
    assert.equal(Number(number), index + 1);
    const cells = [...row.matchAll(/<c ([^>]*)>(.*?)<\/c>/gs)].map(([, head = '', content = '']) => {
      const {
        r = '',
        s = '0',
        t = 'n',
      } = Object.fromEntries([...head.matchAll(ATTRIBUTES)].map(([, name, value]) => [name, value]));
      assert.match(r, new RegExp(`^[A-Z]+${number}$`));
      const types: Record<string, string> = { n: 'number', b: 'boolean', inlineStr: 'text' };
      const [, value = ''] = /^<v>(.*)<\/v>$/.exec(content) ?? /^<is><t[^>]*>(.*)<\/t><\/is>$/s.exec(content) ?? [];
      const cell = {
        type: types[t] ?? t,
        value: t === 'inlineStr' ? textOf(value) : value,
        format: formats[Number(s)],
      };
      return [r.replace(/\d+$/, ''), cell as SheetCell] as const;
    });
    const letters = cells.map(([at]) => at);
    assert.deepEqual(
      letters,
      [...new Set(letters)].sort((one, other) => placeOf(one) - placeOf(other)),
    );
    return new Map(cells);
  });
}

/** A is 0, AA is 26. */
export const placeOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
