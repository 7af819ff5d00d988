/** Removes the files of reports that can no longer be read, and their rows. */
import type { FormLedger } from '../ledger/form.ts';
import type { ResultFiles } from './results.ts';

/**
 * Removes all forms of the reports. Rows are deleted last, so the hourly cleanup can finish what a kill interrupted.
 */
export async function removeForms(
  { ledger, results }: { ledger: FormLedger; results: ResultFiles },
  guids: string[],
): Promise<void> {
  let rows = 0;
  for (const guid of guids) {
    const forms = await ledger.forms(guid);
    await results.remove(guid, forms);
    rows += forms.length;
  }
  if (rows > 0) await ledger.forgetForms(guids);
}
