/** The declaration of `daypart connect test`. */
import type { Command } from '@daypart/cli';

export const CONNECT_TEST: Command = {
  name: 'connect test',
  summary:
    'test a source of your own against a point of sale: convergence, silence, crash, fair use, secrets (preview)',
  args: ['FILE'],
  flags: [
    { name: 'against', value: 'URL', help: 'address of the point of sale, or of a stand-in for it; required' },
    { name: 'days', value: 'N', help: 'dates before today that are read, 1 to 28 (2)' },
    { name: 'at', value: 'INSTANT', help: 'moment up to which is read, such as 2026-03-10T18:00:00Z (now)' },
    { name: 'restaurant', value: 'ID', help: 'one restaurant, for kinds that need one to find the others' },
    {
      name: 'credential',
      value: 'NAME=VALUE',
      many: true,
      help: 'credential that is not secret; may be repeated',
    },
    { name: 'json', help: 'the answer as JSON' },
  ],
  notes: [
    'The secret comes on standard input, or in DAYPART_CONNECT_SECRET or the file that DAYPART_CONNECT_SECRET_FILE names, several as an object of JSON; on a terminal they are asked for and not shown.',
    'The module runs as code of this machine. Nothing may change at the point of sale meanwhile; what is read is stored in a temporary folder.',
    'Exit codes: 0 every law holds, 1 one does not, or failed, 2 misused.',
  ],
  examples: [
    ['A source against its stand-in', 'connect test ./till.mjs --against http://127.0.0.1:8090 < secret.txt'],
    [
      'In a script, up to a date of the stand-in',
      'connect test ./till.mjs --against http://127.0.0.1:8090 --at 2026-03-10T18:00:00Z --json < secret.txt',
    ],
  ],
};
