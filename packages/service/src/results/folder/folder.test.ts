import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultsConformance } from '../../../../../test/conformance/results.ts';
import { openFolderResults, resultsFolder } from './folder.ts';

async function openEmpty() {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-results-'));
  return { results: await openFolderResults(folder), close: () => rm(folder, { recursive: true, force: true }) };
}

resultsConformance('folder', openEmpty, (folder) => openFolderResults(resultsFolder(folder)));
