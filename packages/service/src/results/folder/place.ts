/** The folder of the results in a data folder. */
import { join } from 'node:path';
import { folderSize } from '../../files/size.ts';
import { namesIn } from '../../storage/folder-fault.ts';
import type { StorePlace } from '../../storage/store-place.ts';

const FOLDER = 'results';
export const SCRATCH = 'scratch';
/** The file that contains the id of the data folder. */
export const IDENTITY = 'identity';

export const resultsFolder = (data: string): string => join(data, FOLDER);

export const FOLDER_PLACE: StorePlace = {
  file: `${FOLDER}/${IDENTITY}`,
  held: [FOLDER],
  async isIn(data) {
    const names = await namesIn(data, FOLDER);
    return names.some((name) => name !== SCRATCH);
  },
  size: (data) => folderSize(resultsFolder(data)),
};
