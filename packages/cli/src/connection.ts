/** The flags for the service to call and its credentials. */
import type { Flag } from './command.ts';

/** The stored credentials alone, for commands whose `--url` and `--client-id` are of something else. */
export const PROFILE: Flag = { name: 'profile', value: 'NAME', help: 'stored credentials to use' };

export const CONNECTION: readonly Flag[] = [
  PROFILE,
  { name: 'url', value: 'BASE', help: 'base URL of the service: http://127.0.0.1:8080/v1, https://host/era/v1' },
  { name: 'client-id', value: 'ID', help: 'client id' },
  {
    name: 'client-secret',
    value: 'SECRET',
    help: 'client secret; prefer DAYPART_CLIENT_SECRET, which process lists do not show',
  },
  { name: 'auth', value: 'HOW', values: ['oauth', 'login'], help: 'how tokens are fetched (oauth)' },
];
