/**
 * Each operation asks for the scopes that its description names, whatever the settings: others are in scopes.long.ts.
 */
import { it } from 'node:test';
import { checkScopes } from './scoped-calls.ts';

it('operations ask for the scopes that the description names, with the settings as they are', () => checkScopes({}));
