/** The forms of reports of the SQLite ledger. */
import type { FormLedger, KeptForm, ReportForm } from '../form.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface FormRow {
  report_guid: string;
  attempt: number;
  name: string;
  key: string;
  byte_count: number;
  sha256: string | null;
}

type OneForm = Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>;

interface FormQueries {
  addForm(form: ReportForm): number;
  form(of: Omit<OneForm, 'key'>): FormRow | undefined;
  digestForm(of: OneForm & { sha256: string }): number;
  forms(of: { guid: string; attempt: number | null }): FormRow[];
  forgetForm(of: OneForm): number;
  /** `guids`: JSON array. */
  forgetForms(of: { guids: string }): number;
  unreadableForms(of: { limit: number }): { guid: string }[];
}

/** Adds the forms of an attempt that completes its report. For use within a transaction. */
export type AddForms = (guid: string, attempt: number, forms: KeptForm[]) => void;

const formOf = (row: FormRow): ReportForm => ({
  guid: row.report_guid,
  attempt: row.attempt,
  name: row.name,
  key: row.key,
  bytes: row.byte_count,
  sha256: row.sha256,
});

export function formLedger(connection: Connection) {
  const sql = openQueries<FormQueries>(new URL('./form.sql', import.meta.url), connection);
  const add = ({ guid, attempt, name, key, bytes, sha256 }: ReportForm): ReportForm => {
    sql.addForm({ guid, attempt, name, key, bytes, sha256 });
    const row = sql.form({ guid, attempt, name });
    if (!row) throw new Error(`the form ${name} of ${guid} was not added`);
    return formOf(row);
  };
  const reads = {
    async forms(guid, attempt) {
      return sql.forms({ guid, attempt: attempt ?? null }).map(formOf);
    },
    async unreadableForms(limit) {
      return sql.unreadableForms({ limit }).map(({ guid }) => guid);
    },
  } satisfies Partial<FormLedger>;
  const changes = {
    async addForm(form) {
      return transaction(connection.db, () => add(form));
    },
    async digestForm({ guid, attempt, name, key }, sha256) {
      return sql.digestForm({ guid, attempt, name, key, sha256 }) === 1;
    },
    async forgetForm({ guid, attempt, name, key }) {
      return sql.forgetForm({ guid, attempt, name, key }) === 1;
    },
    async forgetForms(guids) {
      return guids.length === 0 ? 0 : sql.forgetForms({ guids: JSON.stringify(guids) });
    },
  } satisfies Partial<FormLedger>;
  const addForms: AddForms = (guid, attempt, forms) => {
    for (const form of forms) add({ guid, attempt, ...form });
  };
  return { reads, changes, addForms };
}
