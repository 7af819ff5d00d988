/** The forms of reports of the SQLite ledger. */
import type { FormLedger, KeptForm, ReportForm } from '../form.ts';
import { type FormQueries, formMethods, formOf } from '../sql/form.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

/** Adds the forms of an attempt that completes its report. For use within a transaction. */
export type AddForms = (guid: string, attempt: number, forms: KeptForm[]) => void;

export function formLedger(connection: Connection) {
  const sql = openQueries<FormQueries>('form', connection);
  const { reads, changes } = formMethods(sql);
  const add = ({ guid, attempt, name, key, bytes, sha256 }: ReportForm): ReportForm => {
    sql.addForm({ guid, attempt, name, key, bytes, sha256 });
    const row = sql.form({ guid, attempt, name });
    if (!row) throw new Error(`the form ${name} of ${guid} was not added`);
    return formOf(row);
  };
  const adding = {
    async addForm(form) {
      return transaction(connection.db, () => add(form));
    },
  } satisfies Partial<FormLedger>;
  const addForms: AddForms = (guid, attempt, forms) => {
    for (const form of forms) add({ guid, attempt, ...form });
  };
  return { reads, changes: { ...changes, ...adding }, addForms };
}
