/** Who changed access, and when. */
import type { AuditEntry } from '@daypart/client';
import { useState } from 'preact/hooks';
import { readAudit } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { Loaded } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { Card } from '../../widgets/card.tsx';
import { DataTable } from '../../widgets/table.tsx';

const AUDIT_WORDS: Record<string, string> = {
  'client.created': 'created the client',
  'client.revoked': 'revoked the client',
  'client.secret_rotated': 'gave a new secret to',
  'connection.created': 'connected',
  'connection.changed': 'changed',
  'connection.credentials_replaced': 'gave new credentials to',
  'connection.paused': 'paused',
  'connection.resumed': 'resumed',
  'connection.read': 'had dates read again of',
  'connection.removed': 'disconnected',
  'group.created': 'created the group',
  'session.ended': 'signed out',
};

const detailOf = ({ detail }: AuditEntry): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');

export function Audit() {
  const [pages, setPages] = useState(1);
  const load = useCurrent(`audit ${pages}`, ({ signal }) => readAudit(pages, signal));
  return (
    <Card title="Changes of access" aside="newest first" bleed>
      <Loaded load={load} height={240}>
        {({ entries, more }) =>
          entries.length === 0 ? (
            <p class="state">
              <b>No changes yet.</b> Clients that are created, revoked or given another secret here or over HTTP are
              listed.
            </p>
          ) : (
            <>
              <DataTable
                label="Table of changes of access"
                rows={entries}
                keyOf={({ at, target }, place) => `${at} ${target} ${place}`}
                columns={[
                  { title: 'When', cell: ({ at }: AuditEntry) => formatInstant(at) },
                  { title: 'Who', className: 'left', cell: ({ name, clientId }) => name ?? clientId },
                  { title: 'What', className: 'left', cell: ({ action }) => AUDIT_WORDS[action] ?? action },
                  { title: 'Whom', className: 'left wrap', cell: ({ target }) => target },
                  { title: 'With', className: 'left wrap wide', cell: detailOf },
                ]}
              />
              {more && (
                <div class="state">
                  <button type="button" class="button small" onClick={() => setPages(pages + 1)}>
                    Older changes
                  </button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
