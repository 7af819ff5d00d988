/** The sessions of the console, and signing somebody out. */
import type { SignedIn } from '@daypart/client';
import { useState } from 'preact/hooks';
import { access } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { scopesInWords } from '../../features/nav.tsx';
import { ErrorState, Loaded } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { Card } from '../../widgets/card.tsx';
import { ConfirmButton } from '../../widgets/confirm.tsx';
import { DataTable } from '../../widgets/table.tsx';

export function Sessions() {
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<unknown>();
  const load = useCurrent(`sessions ${turn}`, ({ signal }) => access.sessions.list({}, { signal }));
  const end = async (sessionId: string): Promise<void> => {
    setError(undefined);
    await access.sessions.end(sessionId).then(() => setTurn(turn + 1), setError);
  };
  return (
    <Card title="Signed in" aside="newest first" bleed>
      {error !== undefined && <ErrorState error={error} />}
      <Loaded load={load} height={200}>
        {(sessions) => (
          <DataTable
            label="Table of sessions"
            rows={sessions}
            keyOf={({ sessionId }) => sessionId}
            columns={[
              {
                title: 'Who',
                cell: ({ name, clientId }: SignedIn) => (
                  <>
                    {name ?? clientId} {name && <small class="mono">{clientId}</small>}
                  </>
                ),
              },
              { title: 'May', className: 'left wide', cell: ({ scopes }) => scopesInWords(scopes) },
              { title: 'Since', cell: ({ createdAt }) => formatInstant(createdAt) },
              { title: 'Last seen', className: 'wide', cell: ({ seenAt }) => formatInstant(seenAt) },
              { title: 'Ends', className: 'wide', cell: ({ expiresAt }) => formatInstant(expiresAt) },
              {
                title: <span class="hidden">Actions</span>,
                cell: ({ sessionId, current, name, clientId }) =>
                  current ? (
                    <span class="tag">this one</span>
                  ) : (
                    <ConfirmButton
                      label="Sign out"
                      confirm={`Sign out ${name ?? clientId}`}
                      onConfirm={() => end(sessionId)}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
