/** Computes the digests of large forms in the background, after they were kept, and stores them in their rows. */
import type { Logger } from 'pino';
import type { Files } from '../files/files.ts';
import type { FormLedger, ReportForm } from '../ledger/form.ts';
import type { ResultFiles } from './results.ts';
import { createShare } from './share.ts';

/** How long the digest of a large form may take, including the wait for compressing. */
const DIGEST_MS = 30 * 60_000;

interface Digests {
  /**
   * The form with its digest, which is stored in its row. Calls for the same form share one computation. Throws if its
   * file was changed since.
   */
  compute(form: ReportForm, signal: AbortSignal): Promise<ReportForm>;
  /** Does the same in the background if the form has no digest. */
  computeSoon(form: ReportForm): void;
  /** Ends background work. */
  close(): Promise<void>;
}

interface DigestDeps {
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
    // Only if the file is unchanged since it was kept: a digest of damaged bytes would hide the damage.
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
          // A form without a digest is rendered again if it may be damaged; for a discarded report it does not matter.
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
