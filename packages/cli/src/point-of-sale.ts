/** What a service says of a point of sale: how the command ends, and what to do. */
import { EXIT } from './exit.ts';

interface Refused {
  code: number;
  next: string;
}

const AGAIN = 'Then run the same command again.';
const refused: Refused = {
  code: EXIT.refused,
  next: 'Check the client id and the secret of the point of sale, and that they may read everything.',
};
const away: Refused = { code: EXIT.notYet, next: `Check the address of the point of sale, or wait. ${AGAIN}` };

const OUTCOMES: Record<string, Refused> = {
  credentials_refused: refused,
  no_permission: refused,
  key_refused: {
    code: EXIT.refused,
    next: 'Enter the public key where the point of sale takes SSH keys, and check the user.',
  },
  host_key_changed: { code: EXIT.refused, next: 'Confirm the host key only if it is that of the server: --host-key.' },
  host_key_unconfirmed: {
    code: EXIT.refused,
    next: 'Confirm the host key only if it is that of the server: --host-key.',
  },
  package_missing: { code: EXIT.failed, next: 'Ask the operator of the service to install it, and to start it again.' },
  upstream_unreachable: away,
  upstream_error: away,
  throttled: away,
  upstream_changed: { code: EXIT.failed, next: 'Check the address of the point of sale.' },
  restaurant_unknown: {
    code: EXIT.misused,
    next: 'Check the GUID of --restaurant and those of --only, or the folders of --folder.',
  },
  restaurant_is_connected: { code: EXIT.failed, next: 'Name the restaurants that are free: --only NAME.' },
  restaurant_has_imports: { code: EXIT.failed, next: 'Name the first date that is loaded: --from DATE.' },
  restaurant_guid_taken: { code: EXIT.failed, next: 'Name the restaurants of your management group: --only NAME.' },
  secret_key_missing: { code: EXIT.failed, next: 'Ask the operator of the service to set DAYPART_SECRET_KEY.' },
};

/** The end of a command that a point of sale refused, by the code of the service; undefined for other codes. */
export const outcomeOfPointOfSale = (code: string | undefined): Refused | undefined =>
  code !== undefined && Object.hasOwn(OUTCOMES, code) ? OUTCOMES[code] : undefined;
