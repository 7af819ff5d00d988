/** The keys that sign access tokens: their public parts, and how to rotate them. */
import { readKeys, type SigningKey } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { Loaded } from '../../features/state.tsx';
import { Card } from '../../widgets/card.tsx';
import { DataTable } from '../../widgets/table.tsx';

export function Keys() {
  const load = useCurrent('keys', ({ signal }) => readKeys(signal));
  return (
    <div class="cards">
      <Card title="Signing keys" aside="of access tokens" bleed width={7}>
        <Loaded load={load} height={84}>
          {(keys) => (
            <DataTable
              label="Table of signing keys"
              rows={keys}
              keyOf={({ kid }) => kid}
              columns={[
                { title: 'Key', cell: ({ kid }: SigningKey) => <span class="mono">{kid}</span> },
                {
                  title: 'Algorithm',
                  className: 'left wide',
                  cell: ({ alg, crv }) => [alg, crv].filter(Boolean).join(', '),
                },
                {
                  title: 'Use',
                  className: 'left',
                  cell: (key) => (key === keys[0] ? 'signs and verifies' : 'verifies'),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Card title="Rotation" width={5}>
        <div class="stack">
          <p>At the command line of the service:</p>
          <pre class="code">daypart keys rotate</pre>
          <p class="note">
            New tokens are signed with the new key within seconds. Tokens signed before remain valid until they expire,
            so nobody is interrupted. Other programs verify tokens by <a href="/oauth/jwks">/oauth/jwks</a>. Secrets of
            clients are rotated on <a href="/access/clients">Clients</a>, that of the webhook on{' '}
            <a href="/access/webhook">Webhook</a>.
          </p>
        </div>
      </Card>
    </div>
  );
}
