/** The forms of reports of the PostgreSQL ledger. */
import type { FormLedger, KeptForm, ReportForm } from '../form.ts';
import { type FormQueries, formMethods, formOf } from '../sql/form.ts';
import type { PostgresPool, Run } from './pool.ts';
import { loadQueries } from './queries.ts';

interface ManyQueries extends FormQueries {
  /** `forms`: JSON array. */
  addForms(of: { guid: string; attempt: number; forms: string }): number;
}

const queries = loadQueries<ManyQueries>('form');

/** Adds a form unless one of its name exists. For use within a transaction. */
async function addForm(run: Run, { guid, attempt, name, key, bytes, sha256 }: ReportForm): Promise<ReportForm> {
  const sql = queries(run);
  await sql.addForm({ guid, attempt, name, key, bytes, sha256 });
  const row = await sql.form({ guid, attempt, name });
  if (!row) throw new Error(`the form ${name} of ${guid} was not added`);
  return formOf(row);
}

/** Adds the forms of an attempt that completes its report. For use within a transaction. */
export async function addForms(run: Run, guid: string, attempt: number, forms: readonly KeptForm[]): Promise<void> {
  if (forms.length > 0) await queries(run).addForms({ guid, attempt, forms: JSON.stringify(forms) });
}

/** The forms of reports, over a pool. */
export function formLedger(pool: PostgresPool) {
  const { reads, changes } = formMethods(queries(pool.run));
  const methods = {
    async addForm(form) {
      return await pool.transaction((run) => addForm(run, form));
    },
  } satisfies Partial<FormLedger>;
  return { ...reads, ...changes, ...methods };
}
