/**
 * Moves the stores of a data folder to servers. Beside stores.ts and server-stores.ts, the only file that names both.
 */
import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { StoreAddresses } from './config/server-settings.ts';
import { openFactsTarget, type Totals } from './facts/clickhouse/move.ts';
import { openDuckdbFacts } from './facts/duckdb/duckdb.ts';
import { factsFolder } from './facts/duckdb/place.ts';
import type { ReportForm } from './ledger/form.ts';
import { openLedgerTarget } from './ledger/postgres/move.ts';
import { openLedgerIn } from './ledger/sqlite/sqlite.ts';
import { openSqliteTables } from './ledger/sqlite/tables.ts';
import type { LedgerTables } from './ledger/tables.ts';
import { joinStores, refuseWithoutFacts, refuseWithoutLedger } from './maintenance/identity.ts';
import { openFolderResults, resultsFolder } from './results/folder/folder.ts';
import { SNAPSHOT } from './results/forms.ts';
import type { Results } from './results/results.ts';
import { openServerStores } from './server-stores.ts';
import { explaining } from './storage/folder-fault.ts';
import type { Closing } from './store-closing.ts';
import { holdFolder, PLACES } from './stores.ts';

const LOCK_MS = 250;

type MoveConfig = Pick<Config, 'data' | 'engineMemory' | 'resultsCache'>;

/** What was moved, or would be. */
interface MoveSummary {
  /** Rows of the ledger, by table. */
  ledger: Record<string, number>;
  /** Rows of the facts including replaced versions, by table. */
  facts: Record<string, number>;
  months: number;
  lastLoad: number;
  reports: number;
  files: number;
  bytes: number;
  /**
   * GUIDs of reports whose snapshot is missing or damaged in the folder, which could not send all of their forms
   * either.
   */
  lost: string[];
}

type Opened = (close: Closing) => void;

/** Opens the parts of the folder and prevents services from starting on it. Throws FolderHeld, StoresApart. */
async function openFolder({ data, engineMemory }: MoveConfig, scratch: string, log: Logger, opened: Opened) {
  await refuseWithoutLedger(data, PLACES);
  const release = await holdFolder(data, LOCK_MS);
  opened(async () => release());
  const ledger = await explaining(data, () => openLedgerIn(data));
  opened(() => ledger.close());
  await refuseWithoutFacts(data, PLACES, ledger);
  const results = await openFolderResults(resultsFolder(data));
  const facts = await openDuckdbFacts({ folder: factsFolder(data), memoryMb: engineMemory, readable: [scratch], log });
  opened(() => facts.close());
  await joinStores({ ledger, facts, results }, data);
  const tables = openSqliteTables(data);
  opened(async () => tables.close());
  return { tables, engine: facts.engine, results };
}

interface SoundForms {
  guid: string;
  forms: ReportForm[];
}

/** The forms of readable reports whose files are undamaged; other forms are rendered again later. */
async function* soundForms(tables: LedgerTables, results: Results): AsyncGenerator<SoundForms> {
  for (const { guid, attempt, digests, forms: known } of tables.reports()) {
    const forms: ReportForm[] = [];
    for (const form of known) {
      const file = await results.open(form);
      if (file !== undefined && file !== 'damaged') forms.push(form);
    }
    // Files of a version that stored no rows for forms.
    const names = new Set([SNAPSHOT, ...Object.keys(digests ?? {})]);
    for (const { name } of known) names.delete(name);
    for (const name of names) {
      const older = await results.older(guid, attempt, name, digests?.[name]);
      if (older && (older.isKnown || name === SNAPSHOT)) forms.push({ guid, attempt, ...older.form });
    }
    yield { guid, forms };
  }
}

/** Adds a report to the summary; one without its records counts as lost. */
function countForms({ guid, forms }: SoundForms, summary: MoveSummary): void {
  summary.reports++;
  if (!forms.some(({ name }) => name === SNAPSHOT)) summary.lost.push(guid);
  summary.files += forms.length;
  for (const { bytes } of forms) summary.bytes += bytes;
}

/**
 * Uploads a copy of a file, because keeping moves the file and the folder must not change. Throws if it arrives
 * changed.
 */
async function upload(form: ReportForm, from: Results, to: Results): Promise<ReportForm> {
  const { guid, attempt, name } = form;
  const scratch = await to.scratch(name);
  try {
    await copyFile(await from.local(form), scratch, constants.COPYFILE_FICLONE);
    const [kept] = await to.keep(guid, attempt, [{ name, scratch, digest: true }]);
    if (kept?.bytes !== form.bytes || (form.sha256 !== null && kept.sha256 !== form.sha256))
      throw new Error(`${name} of the report ${guid} is not what it was after its upload; nothing was changed`);
    return { guid, attempt, ...kept };
  } finally {
    await rm(scratch, { force: true });
  }
}

const rowsOf = (totals: Totals): number => [...totals.values()].reduce((sum, [rows]) => sum + Number(rows), 0);

function countsOf(
  tables: LedgerTables,
  totals: ReadonlyMap<string, Totals>,
): Pick<MoveSummary, 'ledger' | 'facts' | 'months'> {
  const months = new Set([...totals.values()].flatMap((of) => [...of.keys()]));
  months.delete('0');
  return {
    ledger: Object.fromEntries(tables.tables.map((table) => [table.name, tables.count(table)])),
    facts: Object.fromEntries([...totals].map(([table, of]) => [table, rowsOf(of)])),
    months: months.size,
  };
}

/**
 * Moves a data folder that no service runs on to servers that are migrated and empty. Files and facts are copied and
 * compared first, then one commit in PostgreSQL makes everything visible. The data of the folder are not changed, but
 * it is opened as by a start of the service, also with `dryRun`, which writes nothing to the servers. Throws Error with
 * a sentence; what was copied until then is not visible to anyone.
 */
export async function moveFolder(
  addresses: StoreAddresses,
  config: MoveConfig,
  log: Logger,
  { dryRun, onStep }: { dryRun: boolean; onStep(text: string): void },
): Promise<MoveSummary> {
  const closing: Closing[] = [];
  const opened: Opened = (close) => closing.push(close);
  const scratch = await mkdtemp(join(tmpdir(), 'daypart-move-'));
  opened(() => rm(scratch, { recursive: true, force: true }));
  try {
    const folder = await openFolder(config, scratch, log, opened);
    // Opened first, to check that all three are available, migrated, and of one installation.
    const stores = await openServerStores(addresses, config, { data: scratch, spoolFolder: scratch }, log);
    opened(stores.close);
    const ledger = await openLedgerTarget(addresses.ledger);
    opened(ledger.close);
    const facts = openFactsTarget(addresses.facts, folder.engine);
    opened(facts.close);
    await ledger.check(folder.tables);
    await facts.check();

    const summary: MoveSummary = {
      ...countsOf(folder.tables, await facts.totals()),
      lastLoad: await facts.lastLoad(),
      reports: 0,
      files: 0,
      bytes: 0,
      lost: [],
    };
    const uploaded: ReportForm[] = [];
    try {
      onStep(dryRun ? 'Reading the files of reports' : 'Uploading the files of reports');
      for await (const report of soundForms(folder.tables, folder.results)) {
        countForms(report, summary);
        for (const form of dryRun ? [] : report.forms)
          uploaded.push(await upload(form, folder.results, stores.results));
      }
      if (dryRun) return summary;
      onStep('Copying the facts');
      await facts.copy(scratch);
      onStep('Comparing the totals of each month');
      await facts.verify();
      onStep('Adding the rows of the ledger');
      await ledger.receive(folder.tables, uploaded, summary.lastLoad);
    } catch (error) {
      await stores.results.discard(uploaded).catch(() => undefined);
      throw error;
    }
    return summary;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
