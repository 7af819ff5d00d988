/** The format of commands that show a list. */
import type { Flag } from './command.ts';

export const LIST_FORMAT: Flag = {
  name: 'format',
  value: 'FORM',
  values: ['table', 'json', 'ndjson', 'csv'],
  help: 'table (on a terminal), json (elsewhere), ndjson or csv',
};
