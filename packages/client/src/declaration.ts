/** The form in which report families are declared for readers, tables and forms: `families.ts` is generated in it. */
import type { TimeRange } from './types.ts';

/** The types of values by the types of fields. */
interface ValueTypes {
  guid: string;
  text: string;
  boolean: boolean;
  count: number;
  /** Currency units with at most two decimals. */
  money: number;
  /** With at most two decimals. */
  percent: number;
  /** With at most three decimals. */
  hours: number;
  /** With at most six decimals. */
  quantity: number;
  /** Two decimals, as text. */
  decimalText: string;
  /** YYYYMMDD. */
  date: string;
  dateList: string[];
  /** "0" … "23". */
  hour: string;
  /** UTC, ISO 8601. */
  instant: string;
  /** `2026-03-10 12:31:05`. */
  localTime: string;
}

export type FieldType = keyof ValueTypes;

/** The decimals of numbers by the types of their fields; other numbers are integers. */
export const DECIMALS = { money: 2, percent: 2, hours: 3, quantity: 6, decimalText: 2 } as const;

/** A field of a record in the reference dialect. */
export interface Field {
  readonly type: FieldType;
  /** Text from loaded data, which CSV protects from being run as a formula. */
  readonly loaded?: true;
  /** A `decimalText` that is an amount of the restaurant's currency; one of type `money` always is. */
  readonly amount?: true;
  /** Its name and type in the live dialect, where they differ. */
  readonly live?: { readonly name?: string; readonly type?: string };
  /** Only some reports have it; others lack it. */
  readonly optional?: true;
  /** The value in a record that lacks it. */
  readonly default?: null | '';
}

/** The fields of a record, by name, in the order of the wire. */
export type Fields = Readonly<Record<string, Field>>;

/** What a report family is for those who request and read its reports. */
export interface FamilyDeclaration {
  /** Its name for people: `Card payments`. */
  readonly label: string;
  /** Below the base. */
  readonly path: `/${string}`;
  readonly ranges: readonly (TimeRange | 'custom')[];
  /** Names of the dates in the body. */
  readonly dates: { readonly start: string; readonly end: string };
  /** Values of `groupBy`; empty if it cannot be split. */
  readonly groups: readonly string[];
  readonly mostGroups: number;
  /** Values of `aggregateBy`; empty if there is no choice. */
  readonly aggregates: readonly string[];
  /**
   * The limits of creates on the live system, and their windows, [calls, ms]: ranges are counted together, or each on
   * its own.
   */
  readonly limits: readonly {
    readonly ranges: readonly string[];
    readonly each?: true;
    readonly windows: readonly (readonly [calls: number, ms: number])[];
  }[];
  readonly fields: Fields;
}

/** The types of fields that have values of the type. */
type TypesOf<Value> = {
  [Type in FieldType]: [Value] extends [ValueTypes[Type]] ? Type : never;
}[FieldType];

/**
 * The fields, if they are those of the record, of the types of its values: a field that is missing, additional, or of a
 * different type does not compile.
 */
export type FieldsOf<Row, Declared> = {
  [Name in keyof Row | keyof Declared]-?: Name extends keyof Row
    ? Field & { readonly type: TypesOf<NonNullable<Row[Name]>> } & (null extends Row[Name]
          ? { readonly default: null }
          : { readonly default?: '' })
    : never;
};
