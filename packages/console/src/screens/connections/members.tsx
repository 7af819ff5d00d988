/** The restaurants of a connection: the state of each in the words of the service, and how far it is read. */
import type { ConnectedRestaurantInfo, ConnectionInfo } from '@daypart/client';
import { useState } from 'preact/hooks';
import { ShareBar } from '../../charts/date-line.tsx';
import { formatDate, formatInstant } from '../../model/dates.ts';
import { formatCount } from '../../model/money.ts';
import { ConfirmButton } from '../../widgets/confirm.tsx';
import { DataTable, type PlainColumn } from '../../widgets/table.tsx';

const TONES: Record<string, string> = { current: 'good', late: 'warn', failing: 'bad', lost: 'bad' };
/** A connection may have 2,000 restaurants. */
const MEMBERS_A_PAGE = 50;

/** What could not be read, by stream. */
const rejectedOf = ({ streams }: ConnectedRestaurantInfo) =>
  Object.entries(streams).filter(([, { rejected }]) => rejected > 0);

interface StateProps {
  of: ConnectedRestaurantInfo;
  connection: ConnectionInfo;
}

/** The sentence of the whole connection is above the table. */
function StateOf({ of, connection }: StateProps) {
  const rejected = rejectedOf(of);
  const isOwn = of.message !== connection.message;
  return (
    <>
      <span class={`tag ${(isOwn && TONES[of.state]) || ''}`}>{isOwn ? of.state : connection.state}</span>{' '}
      {isOwn && of.message}
      {of.warnings.map(({ code, message }) => (
        <div class="note" key={code}>
          {message}
        </div>
      ))}
      {rejected.length > 0 && (
        <details class="note">
          <summary>
            {rejected.map(([stream, one]) => `${formatCount(one.rejected)} of ${stream} could not be read`).join(', ')}
          </summary>
          <ul class="lines">
            {rejected.flatMap(([stream, { errors }]) =>
              errors.map(({ guid, pointer, message }, at) => (
                <li key={`${stream} ${at}`}>
                  {guid} {pointer}: {message}
                </li>
              )),
            )}
          </ul>
        </details>
      )}
    </>
  );
}

const Past = ({ of: { backfill } }: { of: ConnectedRestaurantInfo }) =>
  backfill && (
    <>
      {formatCount(backfill.done)} of {formatCount(backfill.of)}
      <ShareBar share={backfill.of === 0 ? 1 : backfill.done / backfill.of} />
    </>
  );

const memberName = ({ name, restaurantGuid }: ConnectedRestaurantInfo): string => name ?? restaurantGuid;

interface MembersProps {
  connection: ConnectionInfo;
  onLeave: ((guid: string) => Promise<unknown>) | undefined;
}

export function Members({ connection, onLeave }: MembersProps) {
  const { restaurants } = connection;
  const [page, setPage] = useState(0);
  const pages = Math.ceil(restaurants.length / MEMBERS_A_PAGE);
  const columns: PlainColumn<ConnectedRestaurantInfo>[] = [
    { title: 'Restaurant', cell: (one) => <a href={`/restaurants/${one.restaurantGuid}`}>{memberName(one)}</a> },
    { title: 'State', className: 'left wrap', cell: (one) => <StateOf of={one} connection={connection} /> },
    { title: 'Past dates', className: 'track wide', cell: (one) => <Past of={one} /> },
    { title: 'Read until', className: 'wide', cell: ({ readUntil }) => (readUntil ? formatInstant(readUntil) : '–') },
    {
      title: 'Settled',
      className: 'wide',
      cell: ({ lastSettledDate: date }) => (date ? formatDate(date, 'full') : '–'),
    },
  ];
  if (onLeave)
    columns.push({
      title: <span class="hidden">Actions</span>,
      cell: (one) => (
        <ConfirmButton
          label="Remove"
          confirm={`Read ${memberName(one)} no longer`}
          onConfirm={async () => void (await onLeave(one.restaurantGuid))}
        />
      ),
    });
  return (
    <>
      <DataTable
        label={`Table of restaurants of ${connection.name}`}
        rows={restaurants.slice(page * MEMBERS_A_PAGE, (page + 1) * MEMBERS_A_PAGE)}
        keyOf={({ upstreamId }) => upstreamId}
        columns={columns}
      />
      {pages > 1 && (
        <div class="state row">
          <button type="button" class="button small" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous restaurants
          </button>
          <button type="button" class="button small" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
            Next restaurants
          </button>
          {formatCount(restaurants.length)} restaurants
        </div>
      )}
    </>
  );
}
