/** Backups of a running service under load; more of it, kills and cancelling are in backup.long.ts. */
import { it } from 'node:test';
import { backUpUnderLoad } from './backups.ts';

it('a backup under load, restored elsewhere, gives every report and figure of one point in time', () =>
  backUpUnderLoad(1));
