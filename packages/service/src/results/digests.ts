/** The digests of large forms, which nobody waited for when they were kept: worked out in the background, put in their rows. */
import type { Logger } from 'pino';
import type { Files } from '../files/files.ts';
import type { FormLedger, ReportForm } from '../ledger/form.ts';
import type { ResultFiles } from './results.ts';
import { createShare } from './share.ts';

/** How long the digest of a large form may take, including the compressing that it waits for. */
const DIGEST_MS = 30 * 60_000;

export interface Digests {
  /** The form with its digest, which its row has then too. Calls for the same form share one. Throws when its file was changed since. */
  compute(form: ReportForm, signal: AbortSignal): Promise<ReportForm>;
  /** The same in the background, where it has none. */
  computeSoon(form: ReportForm): void;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

export interface DigestDeps {
  results: ResultFiles;
  files: Files;
  ledger: FormLedger;
  log: Logger;
  onDigest: (form: ReportForm) => void;
}

export function createDigests({ results, files, ledger, log, onDigest }: DigestDeps): Digests {
  const share = createShare<ReportForm>();
  const closing = new AbortController();
  const background = new Set<Promise<unknown>>();

  async function digest(form: ReportForm, signal: AbortSignal): Promise<ReportForm> {
    const { sha256 } = await files.digest(await results.local(form), { deadlineMs: DIGEST_MS, signal });
    // Unless it was changed since it was kept: a digest of the damage would hide it for ever.
    const file = await results.open(form);
    if (!file || file === 'damaged') throw new Error(`${form.name} of ${form.guid} was changed before it had a digest`);
    await ledger.digestForm(form, sha256);
    const digested = { ...form, sha256 };
    onDigest(digested);
    return digested;
  }
  const compute: Digests['compute'] = (form, signal) =>
    share(`${form.guid}/${form.key}`, (working) => digest(form, working), signal);

  return {
    compute,
    computeSoon(form) {
      if (form.sha256 !== null) return;
      const work = compute(form, closing.signal)
        .catch((error) => {
          // Without one the form is made again where it is not known to be sound; who has discarded the report wants none.
          if (!closing.signal.aborted) log.debug({ err: error, reportRequestGuid: form.guid }, 'a form has no digest');
        })
        .finally(() => background.delete(work));
      background.add(work);
    },
    async close() {
      closing.abort();
      await Promise.all(background);
    },
  };
}
