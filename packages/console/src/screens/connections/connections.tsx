/** The points of sale that are read: how each is, how far it is read, and what can be done about it. */
import { isDisabled, useConnections } from '../../data/connections.ts';
import { may } from '../../data/session.ts';
import { DataTabs } from '../../features/data-tabs.tsx';
import { NeedsScope, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { Preview } from './access-fields.tsx';
import { ConnectionCard } from './connection-card.tsx';

/** The height of the card before the first connection, in pixels. */
const EMPTY = { height: 120, phone: 120 };

export function Connections() {
  const isAdmin = may('access:admin');
  const mayRead = isAdmin || may('ingest:write');
  const load = useConnections(mayRead);
  const isOff = isDisabled(load.error);
  const content = isOff ? (
    <p class="state">
      <b>Connections are disabled on this service.</b> Its operator enables them with --connections on.
    </p>
  ) : (
    <Loaded load={load} {...EMPTY}>
      {(all) =>
        all.length === 0 ? (
          <div class="state">
            <b>No point of sale is connected.</b>
            <span>
              Daypart reads the restaurants of a connected one by itself: the past first, then every change within
              minutes. It writes nothing there.
            </span>
            {!isAdmin && <span>Connecting needs the scope access:admin.</span>}
          </div>
        ) : (
          <div class="stack wide-gap">
            {all.map((one) => (
              <ConnectionCard key={one.id} connection={one} isAdmin={isAdmin} onChanged={load.retry} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
  return (
    <Screen
      title="Data"
      sub={<span>Points of sale that Daypart reads</span>}
      tools={
        isAdmin &&
        !isOff && (
          <a class="button primary" href="/data/connections/new">
            Connect a point of sale
          </a>
        )
      }
    >
      <DataTabs />
      {!mayRead && <NeedsScope scope="ingest:write" />}
      {mayRead && (load.data?.length ? content : <div class="card">{content}</div>)}
      <Preview />
    </Screen>
  );
}
