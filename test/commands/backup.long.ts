/** A backup of a service under the load of many bodies and reports. */
import { it } from 'node:test';
import { backUpUnderLoad } from './backups.ts';

it('a backup under load, restored elsewhere, gives every report and figure of one point in time', () =>
  backUpUnderLoad(10));
