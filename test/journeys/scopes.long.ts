/** Each operation asks for the scopes that its description names, whatever the settings. */
import { it } from 'node:test';
import { checkScopes } from './scoped-calls.ts';

for (const settings of [{ guestScope: true }, { liveRestrictions: true, sandbox: true }])
  it(`operations ask for the scopes that the description names, with the settings ${JSON.stringify(settings)}`, () =>
    checkScopes(settings));
