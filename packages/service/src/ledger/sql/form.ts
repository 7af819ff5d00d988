/** The forms of reports: rows, statements, methods. */
import type { FormLedger, ReportForm } from '../form.ts';
import type { Statements } from './statements.ts';

interface FormRow {
  report_guid: string;
  attempt: number;
  name: string;
  key: string;
  byte_count: number;
  sha256: string | null;
}

type OneForm = Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>;

export interface FormQueries {
  addForm(form: ReportForm): number;
  form(of: Omit<OneForm, 'key'>): FormRow | undefined;
  digestForm(of: OneForm & { sha256: string }): number;
  forms(of: { guid: string; attempt: number | null }): FormRow[];
  forgetForm(of: OneForm): number;
  /** `guids`: JSON array. */
  forgetForms(of: { guids: string }): number;
  unreadableForms(of: { limit: number }): { guid: string }[];
}

export const formOf = (row: FormRow): ReportForm => ({
  guid: row.report_guid,
  attempt: row.attempt,
  name: row.name,
  key: row.key,
  bytes: row.byte_count,
  sha256: row.sha256,
});

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function formMethods(sql: Statements<FormQueries>) {
  const reads = {
    async forms(guid, attempt) {
      return (await sql.forms({ guid, attempt: attempt ?? null })).map(formOf);
    },
    async unreadableForms(limit) {
      return (await sql.unreadableForms({ limit })).map(({ guid }) => guid);
    },
  } satisfies Partial<FormLedger>;
  const changes = {
    async digestForm({ guid, attempt, name, key }, sha256) {
      return (await sql.digestForm({ guid, attempt, name, key, sha256 })) === 1;
    },
    async forgetForm({ guid, attempt, name, key }) {
      return (await sql.forgetForm({ guid, attempt, name, key })) === 1;
    },
    async forgetForms(guids) {
      return guids.length === 0 ? 0 : await sql.forgetForms({ guids: JSON.stringify(guids) });
    },
  } satisfies Partial<FormLedger>;
  return { reads, changes };
}
