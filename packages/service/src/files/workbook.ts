/**
 * Writes a workbook (.xlsx, ECMA-376) from the rows that an engine has written as XML: a sheet of them under a head,
 * and a sheet about them. The rows are read, compressed and written piece by piece, so memory does not grow with them.
 */
import { stat } from 'node:fs/promises';
import { writeZip, type ZipOptions, type ZipPart } from './zip.ts';

/** What a workbook has besides its rows. */
export interface Workbook {
  columns: readonly { name: string /** In characters. */; width: number }[];
  /** The rows of the second sheet: a heading and a text. */
  about: readonly (readonly [string, string])[];
}

/** The most rows of a sheet, without its head. */
export const MOST_SHEET_ROWS = 1_048_575;

/** The formats of cells by the index under which `xl/styles.xml` has them. */
export const CELL_STYLES = {
  plain: 0,
  head: 1,
  money: 2,
  date: 3,
  dateTime: 4,
  decimals2: 5,
  decimals3: 6,
  wholeMoney: 7,
} as const;

/** The number formats of those cells: numbers below 164 are built in. */
const NUMBER_FORMATS: Record<keyof typeof CELL_STYLES, { id: number; code?: string }> = {
  plain: { id: 0 },
  head: { id: 0 },
  money: { id: 4 },
  date: { id: 164, code: 'yyyy\\-mm\\-dd' },
  dateTime: { id: 165, code: 'yyyy\\-mm\\-dd\\ hh:mm:ss' },
  decimals2: { id: 2 },
  decimals3: { id: 166, code: '0.000' },
  wholeMoney: { id: 3 },
};

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Text in XML: characters that XML does not have are written as ECMA-376 22.9.2.19 says. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
    .replaceAll(/[\u0000-\u001f\ufffe\uffff]/g, (found) => `_x${found.charCodeAt(0).toString(16).padStart(4, '0')}_`);

/** The letters of a column: 0 is A, 26 is AA. */
export const columnLetters = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : `${columnLetters(Math.trunc(index / 26) - 1)}${columnLetters(index % 26)}`;

const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

const widths = (all: readonly number[]): string =>
  `<cols>${all.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>`;

/** The text before the rows of the first sheet: its frozen head, the widths, and the first row. */
function sheetHead({ columns }: Workbook): string {
  const cells = columns.map(({ name }, at) => textCell(`${columnLetters(at)}1`, name, CELL_STYLES.head));
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return [
    `${XML}<worksheet xmlns="${MAIN}">`,
    `<sheetViews><sheetView tabSelected="1" workbookViewId="0">${frozen}</sheetView></sheetViews>`,
    `${widths(columns.map(({ width }) => width))}<sheetData><row r="1">${cells.join('')}</row>\n`,
  ].join('');
}

/** The text after them, with the filter of the head. `rows` is their number. */
const sheetFoot = ({ columns }: Workbook, rows: number): string =>
  `</sheetData><autoFilter ref="A1:${columnLetters(columns.length - 1)}${rows + 1}"/></worksheet>`;

function aboutSheet({ about }: Workbook): string {
  const rows = about.map(([heading, text], at) => {
    const row = at + 1;
    const cells = [textCell(`A${row}`, heading, CELL_STYLES.head), textCell(`B${row}`, text, CELL_STYLES.plain)];
    return `<row r="${row}">${cells.join('')}</row>`;
  });
  return `${XML}<worksheet xmlns="${MAIN}">${widths([28, 110])}<sheetData>${rows.join('')}</sheetData></worksheet>`;
}

function styles(): string {
  const formats = Object.values(NUMBER_FORMATS);
  const own = formats.flatMap(({ id, code }) =>
    code === undefined ? [] : [`<numFmt numFmtId="${id}" formatCode="${xmlText(code)}"/>`],
  );
  const cells = Object.keys(CELL_STYLES).map((name, at) => {
    const font = name === 'head' ? 1 : 0;
    return `<xf numFmtId="${formats[at]?.id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  });
  const font = (more: string): string => `<font>${more}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
  return [
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${own.length}">${own.join('')}</numFmts>`,
    `<fonts count="2">${font('')}${font('<b/>')}</fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

/** The parts that are the same in every workbook. */
function fixedParts(): ZipPart[] {
  const sheet = (number: number): string =>
    `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (...all: string[]): string =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
  const types = [
    `${XML}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${sheet(1)}${sheet(2)}</Types>`,
  ];
  const book = [
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets>`,
    '<sheet name="Report" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets></workbook>',
  ];
  return [
    { name: '[Content_Types].xml', text: types.join('') },
    { name: '_rels/.rels', text: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    { name: 'xl/workbook.xml', text: book.join('') },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('rId2', 'worksheet', 'worksheets/sheet2.xml'),
        relation('rId3', 'styles', 'styles.xml'),
      ),
    },
    { name: 'xl/styles.xml', text: styles() },
  ];
}

/**
 * Writes the workbook whose rows are in a file, a `<row>` element on each of its lines. Throws on file errors, and
 * leaves a part of the workbook then.
 */
export async function writeWorkbook(
  rows: { file: string; count: number },
  workbook: Workbook,
  to: string,
  options?: ZipOptions,
): Promise<void> {
  const [before, after] = [sheetHead(workbook), sheetFoot(workbook, rows.count)];
  const bytes = Buffer.byteLength(before) + (await stat(rows.file)).size + Buffer.byteLength(after);
  await writeZip(
    to,
    [
      ...fixedParts(),
      { name: 'xl/worksheets/sheet2.xml', text: aboutSheet(workbook) },
      // Last, since only its compressed length may exceed 4 GiB.
      { name: 'xl/worksheets/sheet1.xml', before, file: rows.file, after, bytes },
    ],
    options,
  );
}
