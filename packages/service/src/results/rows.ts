/**
 * The rows of forms that a node has read, cached in memory: a row never changes, except that a missing digest is added.
 */
import { DAY_MS } from '../contract/time.ts';
import { keepMost } from '../kept.ts';
import type { FormLedger, ReportForm } from '../ledger/form.ts';

/** Some 300 bytes each. */
const MOST_HELD = 100_000;
const ROWS_HELD_MS = DAY_MS;

/** The completed attempt of a report. */
export interface ReportPlace {
  guid: string;
  attempt: number;
  /** SHA-256, base64, by file name, of files of a report made by a version that stored no rows for forms. */
  digests: Record<string, string> | null;
}

export interface FormRows {
  /** The row of the form, if cached. */
  held(place: ReportPlace, name: string): ReportForm | undefined;
  hold(form: ReportForm): void;
  /** The row of the form, if it has one. */
  find(place: ReportPlace, name: string): Promise<ReportForm | undefined>;
  /** Deletes the row of the form. */
  forget(form: ReportForm): Promise<void>;
}

export function createFormRows(ledger: FormLedger): FormRows {
  const rows = keepMost<ReportForm>(MOST_HELD, ROWS_HELD_MS);
  const keyOf = ({ guid, attempt }: Pick<ReportForm, 'guid' | 'attempt'>, name: string): string =>
    `${guid}/${attempt}/${name}`;
  const held: FormRows['held'] = (place, name) => rows.get(keyOf(place, name));
  const hold: FormRows['hold'] = (form) => void rows.set(keyOf(form, form.name), form);
  return {
    held,
    hold,
    async find(place, name) {
      const known = held(place, name);
      if (known) return known;
      for (const form of await ledger.forms(place.guid, place.attempt)) hold(form);
      return held(place, name);
    },
    async forget(form) {
      rows.delete(keyOf(form, form.name));
      await ledger.forgetForm(form);
    },
  };
}

/** The report's files are missing or damaged, and cannot be made again: the report must be created again. */
export class ReportLost extends Error {
  override readonly name = 'ReportLost';
}
