import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadStatementsAndParts } from '../../storage/sql.ts';
import { LOG_ROW_TYPES } from './load-log/row-types.ts';
import { NODE_ROW_TYPES, SERVER_ROW_TYPES } from './row-types.ts';

/** The statements of files that answer rows. */
function answering(...files: string[]): string[] {
  const names = files.flatMap((file) =>
    Object.entries(loadStatementsAndParts(new URL(file, import.meta.url)).statements)
      .filter(([, { answers }]) => answers !== 'exec')
      .map(([name]) => name),
  );
  return [...new Set(names)].sort();
}

/**
 * Whether the columns of each are those of its statement is in test/scale/row-types.scale.ts: that needs the servers.
 */
describe('the row types of the facts on servers', () => {
  it('are of every statement of ClickHouse that answers rows, and of no other', () => {
    assert.deepEqual(Object.keys(SERVER_ROW_TYPES).sort(), answering('./server.sql'));
  });

  it("are of every statement of the node's engine that answers rows, and of no other", () => {
    assert.deepEqual(Object.keys(NODE_ROW_TYPES).sort(), answering('./node.sql', './folder.sql'));
  });

  it('are of every statement of the load log that answers rows, and of no other', () => {
    assert.deepEqual(Object.keys(LOG_ROW_TYPES).sort(), answering('./load-log/log.sql'));
  });
});
