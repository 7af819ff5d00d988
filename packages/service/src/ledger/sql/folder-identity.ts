/** The identity of the installation in SQL. */
import type { Highest, IdentityLedger, LedgerIdentity } from '../folder-identity.ts';
import { columns, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const identities = columns<LedgerIdentity>({ id: 'id', epoch: 'epoch', nextEpoch: 'next_epoch' });
const highs = columns<Highest>({ restaurantId: 'restaurant_id', snapshot: 'snapshot' });

const queries = loadQueries<{
  identity(): Row | undefined;
  identify(identity: Stored<LedgerIdentity>): number;
  highest(): Row | undefined;
}>(new URL('./folder-identity.sql', import.meta.url));

export function identityLedger(sql: Sql): IdentityLedger {
  const query = queries(sql);
  return {
    async identity() {
      return identities.readOne(await query.identity());
    },
    async highest() {
      return highs.readOne(await query.highest()) ?? { restaurantId: 0, snapshot: null };
    },
    async identify(identity) {
      await query.identify(identities.values(identity));
    },
  };
}
