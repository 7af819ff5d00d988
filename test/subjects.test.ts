import assert from 'node:assert/strict';
import { it } from 'node:test';
import { faultOf } from '../scripts/subjects.ts';

it('the subject of a commit is an area and a request', () => {
  for (const subject of [
    'ledger: write each concern once',
    'client, cli: export what others use',
    'docs-site: pass the query on',
    'test: need no service',
    'Revert "ledger: write each concern once"',
  ])
    assert.equal(faultOf(subject), undefined, subject);
  for (const subject of [
    'write each concern once',
    'ledger:',
    'ledger: the concerns are written once',
    'test: laws draw fewer cases',
    'ledger: added concerns',
    'ledger: adding concerns',
    'command line: give a command its effects',
    'ledger: Write each concern once',
  ])
    assert.ok(faultOf(subject), subject);
});
