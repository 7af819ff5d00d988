/** An example value of a schema, and its properties as rows. */
import { isObject, type JsonObject } from '../contract/json.ts';

const EXAMPLE_GUID = 'b1500000-0000-4000-8000-000000000001';
const DEEPEST_EXAMPLE = 4;

function choiceOf(schema: JsonObject): JsonObject | undefined {
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const choices = schema[key];
    if (Array.isArray(choices)) return (choices as JsonObject[]).find(({ type }) => type !== 'null');
  }
  return undefined;
}

function textExample(schema: JsonObject): string {
  if (schema.format === 'uuid') return EXAMPLE_GUID;
  if (schema.format === 'date-time') return '2026-03-10T17:05:00.000Z';
  if (schema.pattern === '^\\d{8}$') return '20260310';
  return '…';
}

/** The schema's own example, default or constant; else one made from its type, of an object with all properties. */
export function shownExample(schema: JsonObject, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choice = choiceOf(schema);
  if (choice) return shownExample(choice, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' && isObject(schema.properties)) {
    const shown = Object.entries(schema.properties);
    return Object.fromEntries(shown.map(([name, value]) => [name, shownExample(value as JsonObject, depth + 1)]));
  }
  if (type === 'array')
    return depth < DEEPEST_EXAMPLE && isObject(schema.items) ? [shownExample(schema.items, depth + 1)] : [];
  if (type === 'string') return textExample(schema);
  if (type === 'integer' || type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0;
  if (type === 'boolean') return false;
  return type === 'null' ? null : {};
}

/** The type in words: `string or null`, `DAY | HOUR`, `list of uuid`. */
export function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (Array.isArray(schema[key])) return [...new Set((schema[key] as JsonObject[]).map(typeOf))].join(' or ');
  }
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(Boolean) as string[];
  const named = types.map((type) => {
    if (type === 'array') return `list of ${isObject(schema.items) ? typeOf(schema.items) : 'any'}`;
    return type === 'string' && typeof schema.format === 'string' ? schema.format : type;
  });
  return named.join(' or ') || 'any';
}

export interface Property {
  /** With the path to it: `checks[].guid`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** The properties of an object, or of the items of a list, down to three levels. */
export function propertiesOf(schema: JsonObject, prefix = '', depth = 0): Property[] {
  if (depth > 2) return [];
  if ([schema.type].flat().includes('array') && isObject(schema.items))
    return propertiesOf(schema.items, prefix && `${prefix}[]`, depth);
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as JsonObject[]) : [];
  const choice = parts.length === 0 ? choiceOf(schema) : undefined;
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const needed = Array.isArray(schema.required) ? schema.required : [];
  return [
    ...own.flatMap(([key, value]) => {
      const property = value as JsonObject;
      const name = prefix ? `${prefix}.${key}` : key;
      const row = {
        name,
        type: typeOf(property),
        required: needed.includes(key),
        description: typeof property.description === 'string' ? property.description : '',
      };
      return [row, ...propertiesOf(property, name, depth + 1)];
    }),
    ...parts.flatMap((part) => propertiesOf(part, prefix, depth)),
    ...(choice ? propertiesOf(choice, prefix, depth) : []),
  ];
}
