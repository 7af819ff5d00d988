/** Links of downloads that have not been followed yet: in memory, or in the ledger if several nodes share it. */
import type { Caller } from '../access/caller.ts';
import type { Only } from '../facts/form.ts';
import { keepMost } from '../kept.ts';
import type { IdempotencyLedger } from '../ledger/idempotency-key.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';

/** Unused links of one process: more than anyone clicks within a minute. */
const MOST_WAITING = 1000;
/** In the ledger a link is stored like the use of an idempotency key: under its hash, until it expires. */
const PATH = '/session/downloads';
const USED = '/session/downloads/used';

export interface Link {
  sessionId: string | undefined;
  kind: string;
  guid: string;
  /** In the form that the retrieval reads. */
  query: Record<string, string>;
  /** Absent for all rows. */
  only?: Only | undefined;
  endsAt: number;
}

export interface Links {
  add(caller: Caller, hash: string, link: Link): Promise<void>;
  /** Undefined once it was used or has expired. */
  find(caller: Caller, hash: string): Promise<Link | undefined>;
  /** False if another call has already used it. */
  use(caller: Caller, hash: string, link: Link): Promise<boolean>;
}

export const openLinks = (
  ledger: IdempotencyLedger & Pick<NotificationLedger, 'shared'>,
  clock: () => number,
): Links => (ledger.shared ? sharedLinks(ledger, clock) : ownLinks(clock));

/** For a data folder, which only one process serves: a link that lives for a minute needs no commit. */
function ownLinks(clock: () => number): Links {
  const waiting = keepMost<Link>(MOST_WAITING);
  return {
    async add(_caller, hash, link) {
      waiting.set(hash, link);
    },
    async find(_caller, hash) {
      const link = waiting.get(hash);
      return link && link.endsAt > clock() ? link : undefined;
    },
    use: async (_caller, hash) => waiting.delete(hash),
  };
}

function sharedLinks(ledger: IdempotencyLedger, clock: () => number): Links {
  const useOf = ({ group, clientId }: Caller, path: string, key: string) => ({ group, clientId, path, key });
  return {
    async add(caller, hash, link) {
      const { endsAt } = link;
      await ledger.addKeyUse({ ...useOf(caller, PATH, hash), fingerprint: '', answer: link, endsAt }, clock());
    },
    async find(caller, hash) {
      const now = clock();
      const [kept, used] = await Promise.all([
        ledger.keyUse(useOf(caller, PATH, hash), now),
        ledger.keyUse(useOf(caller, USED, hash), now),
      ]);
      return used ? undefined : (kept?.answer as Link | undefined);
    },
    async use(caller, hash, { endsAt }) {
      const use = { ...useOf(caller, USED, hash), fingerprint: '', answer: true, endsAt };
      return (await ledger.addKeyUse(use, clock())) === undefined;
    },
  };
}
