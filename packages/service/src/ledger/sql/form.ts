/** The forms of reports in SQL. */
import type { FormLedger, KeptForm, ReportForm } from '../form.ts';
import { columns } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const reportForms = columns<ReportForm>({
  guid: 'report_guid',
  attempt: 'attempt',
  name: 'name',
  key: 'key',
  bytes: 'byte_count',
  sha256: 'sha256',
});

type OneForm = Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>;

const queries = loadQueries<{
  /** `forms` and `guids`: JSON arrays. */
  addForms(of: { guid: string; attempt: number; forms: string }): number;
  form(of: Omit<OneForm, 'key'>): Row | undefined;
  digestForm(of: OneForm & { sha256: string }): number;
  forms(of: { guid: string; attempt: number | null }): Row[];
  forgetForm(of: OneForm): number;
  forgetForms(of: { guids: string }): number;
  unreadableForms(of: { limit: number }): { guid: string }[];
}>(new URL('./form.sql', import.meta.url));

/** Adds forms of an attempt, each unless the attempt has one of its name. For use within a transaction. */
export async function addForms(sql: Sql, guid: string, attempt: number, forms: readonly KeptForm[]): Promise<void> {
  if (forms.length > 0) await queries(sql).addForms({ guid, attempt, forms: JSON.stringify(forms) });
}

/** The forms of reports. */
export function formLedger(sql: Sql): FormLedger {
  const query = queries(sql);
  return {
    addForm: (form) =>
      sql.transaction(async (inner) => {
        await addForms(inner, form.guid, form.attempt, [form]);
        const added = reportForms.readOne(await queries(inner).form(form));
        if (!added) throw new Error(`the form ${form.name} of ${form.guid} was not added`);
        return added;
      }),
    async digestForm(form, sha256) {
      return (await query.digestForm({ ...form, sha256 })) === 1;
    },
    async forms(guid, attempt) {
      return (await query.forms({ guid, attempt: attempt ?? null })).map(reportForms.read);
    },
    async forgetForm(form) {
      return (await query.forgetForm(form)) === 1;
    },
    async forgetForms(guids) {
      return guids.length === 0 ? 0 : await query.forgetForms({ guids: JSON.stringify(guids) });
    },
    async unreadableForms(limit) {
      return (await query.unreadableForms({ limit })).map(({ guid }) => guid);
    },
  };
}
