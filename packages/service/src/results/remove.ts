/** Removing the files of reports that nobody may read any more, with their rows. */
import type { FormLedger } from '../ledger/form.ts';
import type { ResultFiles } from './results.ts';

/** Removes every form of the reports. What a kill leaves undone, the hourly cleanup does: rows go last. */
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
