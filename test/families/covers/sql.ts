/** Its SQL: all that an engine needs. */
import type { FamilySql } from '../../../packages/service/src/facts/duckdb/families/family.ts';
import { openSql } from '../../../packages/service/src/facts/duckdb/statements.ts';

const { fragment } = openSql(new URL('./covers.sql', import.meta.url));

export const COVERS_SQL: FamilySql = {
  records: (_query, { ids, currency }) => ({ tables: [], query: fragment('records', { ids, currency }) }),
  changes: {},
};
