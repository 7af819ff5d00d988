/** The folder of the results in a data folder. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSize } from '../../files/size.ts';
import type { StorePlace } from '../../storage/store-place.ts';

export const SCRATCH = 'scratch';
/** The file that contains the id of the data folder. */
export const IDENTITY = 'identity';

export const resultsFolder = (data: string): string => join(data, 'results');

export const FOLDER_PLACE: StorePlace = {
  file: `results/${IDENTITY}`,
  async isIn(data) {
    const names = await readdir(resultsFolder(data)).catch(() => []);
    return names.some((name) => name !== SCRATCH);
  },
  size: (data) => folderSize(resultsFolder(data)),
};
