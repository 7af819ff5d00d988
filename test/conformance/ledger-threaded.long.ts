/** The ledger of a service, which writes in a thread of its own; sqlite.test.ts has the same in one thread. */
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { ledgerConformance } from './ledger.ts';
import { openThreaded } from './open-ledger.ts';

ledgerConformance('sqlite in two threads', openThreaded, openLedgerIn);
