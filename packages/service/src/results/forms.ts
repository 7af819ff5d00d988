/** The rendered forms of a snapshot: made by the engine when first asked for, kept beside it. */
import { rm } from 'node:fs/promises';
import type { Facts, Form } from '../facts/facts.ts';
import type { ResultFile, Results } from './results.ts';

/** The file name of what every form is rendered from. */
export const SNAPSHOT = 'snapshot.parquet';

/** The file name of a form. */
export const formName = (form: Pick<Form, 'dialect' | 'names'>): string =>
  `${form.dialect}${form.names ? '-names' : ''}.json`;

export interface Forms {
  /**
   * The form of a completed report, rendered when it is not there yet. Calls for the same form share one rendering.
   * Throws EngineTimeout after `deadlineMs`, EngineGone when the engine stopped.
   */
  open(guid: string, attempt: number, form: Form, deadlineMs: number): Promise<ResultFile>;
}

export function createForms(results: Results, facts: Facts): Forms {
  const rendering = new Map<string, Promise<ResultFile>>();

  async function render(guid: string, attempt: number, form: Form, deadlineMs: number): Promise<ResultFile> {
    const scratch = await results.scratch('form.json');
    try {
      await facts.render(await results.local(guid, attempt, SNAPSHOT), form, scratch, { deadlineMs });
      await results.keep(guid, attempt, formName(form), scratch);
      await results.settle(guid, attempt, [formName(form)]);
    } finally {
      await rm(scratch, { force: true });
    }
    const file = await results.open(guid, attempt, formName(form));
    if (!file) throw new Error(`the form ${formName(form)} of ${guid} was kept and is not there`);
    return file;
  }

  return {
    async open(guid, attempt, form, deadlineMs) {
      const file = await results.open(guid, attempt, formName(form));
      if (file) return file;
      const key = `${guid}/${attempt}/${formName(form)}`;
      let work = rendering.get(key);
      if (!work) {
        work = render(guid, attempt, form, deadlineMs).finally(() => rendering.delete(key));
        rendering.set(key, work);
      }
      return await work;
    },
  };
}
