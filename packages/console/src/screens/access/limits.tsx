/** The remaining quota of the rate limits, window by window. */
import type { LimitsLeft } from '@daypart/client';
import { useState } from 'preact/hooks';
import { readLimits } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DataTable } from '../../parts/table.tsx';
import { ClientChoice } from './client-choice.tsx';

export function Limits() {
  const [client, setClient] = useState('');
  const [turn, setTurn] = useState(0);
  const load = useCurrent(`limits ${client} ${turn}`, ({ signal }) => readLimits(client, signal));
  const end = (
    <>
      <ClientChoice client={client} onChange={setClient} />
      <button type="button" class="button small" onClick={() => setTurn(turn + 1)}>
        Refresh
      </button>
    </>
  );
  return (
    <Card title="Limits" aside={load.data && `what is left to ${load.data.clientId}`} bleed end={end}>
      <Loaded load={load} height={240}>
        {({ windows }) =>
          windows.length === 0 ? (
            <p class="state">Calls are not limited.</p>
          ) : (
            <DataTable
              label="Table of limits"
              rows={windows}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Window', cell: ({ name }: LimitsLeft['windows'][number]) => name },
                {
                  title: 'Left',
                  cell: ({ left }) => <span class={left === 0 ? 'unusual' : 'strong'}>{formatCount(left)}</span>,
                },
                { title: 'Of', cell: ({ quota }) => formatCount(quota) },
                { title: 'Ends in', cell: ({ endsInSeconds }) => `${formatCount(endsInSeconds)} s` },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
