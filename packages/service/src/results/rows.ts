/** The rows of the forms that a node reads: held in memory, since a row is never changed but for a digest that it lacked. */
import { LRUCache } from 'lru-cache';
import type { FormLedger, ReportForm } from '../ledger/form.ts';

/** Some 300 bytes each. */
const MOST_HELD = 100_000;
const HELD_MS = 86_400_000;

/** A completed report's attempt. */
export interface ReportPlace {
  guid: string;
  attempt: number;
  /** The SHA-256, in base64, of files of a report made before forms had rows, by name. */
  digests: Record<string, string> | null;
}

export interface FormRows {
  /** The row of the form, as far as it is held. */
  held(place: ReportPlace, name: string): ReportForm | undefined;
  hold(form: ReportForm): void;
  /** The row of the form, if it has one. */
  find(place: ReportPlace, name: string): Promise<ReportForm | undefined>;
  /** Forgets that the form was made. */
  forget(form: ReportForm): Promise<void>;
}

export function createFormRows(ledger: FormLedger): FormRows {
  const rows = new LRUCache<string, ReportForm>({ max: MOST_HELD, ttl: HELD_MS });
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

/** The report's files are gone or damaged, and nothing is left to make them from: it must be asked for again. */
export class ReportLost extends Error {
  override readonly name = 'ReportLost';
}
