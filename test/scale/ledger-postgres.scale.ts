/** The ledger in PostgreSQL does what every ledger must do. */
import { after } from 'node:test';
import { openPostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { ledgerConformance } from '../conformance/ledger.ts';
import { startLedgerDatabases } from './ledger-databases.ts';

const databases = await startLedgerDatabases();
after(() => databases.close());

ledgerConformance('PostgreSQL', async () => {
  const ledger = await openPostgresLedger({ url: await databases.create() });
  return { ledger, close: () => ledger.close() };
});
