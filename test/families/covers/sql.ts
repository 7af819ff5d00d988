/** Its SQL: all that an engine needs. */
import type { FamilySql } from '../../../packages/service/src/facts/duckdb/families/family.ts';
import { openSql } from '../../../packages/service/src/facts/duckdb/statements.ts';

const { part } = openSql(new URL('./covers.sql', import.meta.url));

export const COVERS_SQL: FamilySql = {
  records: (_query, { ids, currency }) => ({ tables: [], query: part('records', { ids, currency }) }),
  changes: {},
};
