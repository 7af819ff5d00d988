/** Its SQL: all that an engine needs. */
import type { FamilySql } from '../../../packages/service/src/facts/duckdb/families/family.ts';
import { statement } from '../../../packages/service/src/facts/duckdb/statements.ts';
import { loadStatements } from '../../../packages/service/src/sql.ts';

const text = statement(loadStatements(new URL('./covers.sql', import.meta.url)));

export const COVERS_SQL: FamilySql = {
  records: (_query, { ids, currency }) => text('records', { ids, currency }),
  changes: {},
};
