/**
 * Writes the declarations of the report families for the client, the command line and the console, which import nothing
 * of the service.
 */
import type { TSchema } from 'typebox';
import type { FamilyDeclaration, Field } from '../packages/client/src/declaration.ts';
import { readWindows } from '../packages/service/src/contract/limits.ts';
import type { FieldColumn, LimitNumbers, ReportFamily } from '../packages/service/src/families/family.ts';
import { FAMILIES } from '../packages/service/src/families/index.ts';

const isNullable = ({ anyOf = [] }: TSchema & { anyOf?: { type?: string }[] }): boolean =>
  anyOf.some(({ type }) => type === 'null');

function fieldOf(
  { type, loaded, amount, live, default: absent }: FieldColumn,
  schema: TSchema,
  isOptional: boolean,
): Field {
  const { nullLeftOut: _, ...differs } = live ?? {};
  return {
    type,
    ...(loaded && { loaded }),
    ...(amount && { amount }),
    ...(Object.keys(differs).length > 0 && { live: differs }),
    ...(isOptional && { optional: true }),
    ...(isNullable(schema) ? { default: null } : absent !== undefined && { default: absent }),
  } as Field;
}

const limitsOf = ({ spans, limitOf, limits }: ReportFamily): FamilyDeclaration['limits'] =>
  [...Map.groupBy(spans, limitOf)].map(([name, ranges]) => {
    const { live, each } = limits[name] as LimitNumbers;
    const windows = readWindows(live).map(({ quota, seconds }) => [quota, seconds * 1000] as const);
    return { ranges, ...(each && { each }), windows };
  });

function declarationOf(family: ReportFamily): FamilyDeclaration {
  const { label, path, spans, dates, groups, mostGroups, aggregates, columns, records } = family;
  const { properties, required = [] } = records.reference;
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    fieldOf(columns[name] as FieldColumn, schema, !(required as readonly string[]).includes(name)),
  ]);
  return {
    label,
    path,
    ranges: spans,
    dates,
    groups,
    mostGroups,
    aggregates: aggregates.length > 1 ? aggregates : [],
    limits: limitsOf(family),
    fields: Object.fromEntries(fields),
  };
}

/** A value as TypeScript on one line. */
function inline(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const entries = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${inline(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const keyOf = (key: string): string => (/^\w+$/.test(key) ? key : `'${key}'`);

/** The entries of an object, a line each. */
const linesOf = (value: object, indent: string): string[] =>
  Object.entries(value).map(([key, one]) => `${indent}${keyOf(key)}: ${inline(one)},`);

/** The text of `packages/client/src/families.ts`. */
export function clientFamilies(): string {
  const families = Object.values(FAMILIES).flatMap((family) => {
    const { fields, ...form } = declarationOf(family);
    return [
      `  ${keyOf(family.kind)}: {`,
      ...linesOf(form, '    '),
      '    fields: {',
      ...linesOf(fields, '      '),
      '    },',
      '  },',
    ];
  });
  return [
    '/** The report families by kind, from their declarations in the service. Written by `npm run docs`. */',
    "import type { FamilyDeclaration } from './declaration.ts';",
    '',
    'export const FAMILIES = {',
    ...families,
    '} as const satisfies Record<string, FamilyDeclaration>;',
    '',
  ].join('\n');
}
