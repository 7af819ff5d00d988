/** The remaining quota of the rate limits, window by window. */
import type { LimitsLeft } from '@daypart/client';
import { useState } from 'preact/hooks';
import { access, readLimits } from '../../data/access.ts';
import { FAMILIES } from '../../data/families.ts';
import { useCurrent } from '../../data/load.ts';
import { Loaded } from '../../features/state.tsx';
import { constantWords } from '../../model/locale.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { DataTable } from '../../widgets/table.tsx';
import { ClientChoice } from './clients.tsx';

/** What a window counts: "Labour, week" for labor-week-hour, "Sales metrics, longer" for long-metrics-hour. */
function callsOf(name: string): string {
  const calls = name.replace(/-[a-z]+$/, '');
  const plain = calls.replace(/^long-/, '');
  const [family] = FAMILIES.map(({ label, path }) => ({ label, word: path.slice(1).replaceAll('/', '-') }))
    .filter(({ word }) => `${plain}-`.startsWith(`${word}-`))
    .sort((a, b) => b.word.length - a.word.length);
  if (!family) return constantWords(calls.replaceAll('-', '_'));
  const range = plain === calls ? plain.slice(family.word.length + 1) : 'longer';
  return [family.label, range].filter(Boolean).join(', ');
}

export function Limits() {
  const [client, setClient] = useState('');
  const [turn, setTurn] = useState(0);
  const load = useCurrent(`limits ${client} ${turn}`, async ({ signal }) => {
    const limits = await readLimits(client, signal);
    return { ...limits, name: (await access.groups.get(limits.group, { signal })).name };
  });
  const end = (
    <>
      <ClientChoice client={client} onChange={setClient} />
      <button type="button" class="button small" onClick={() => setTurn(turn + 1)}>
        Refresh
      </button>
    </>
  );
  return (
    <Card
      title="Limits"
      aside={load.data && `what is left to ${load.data.name}, over all of its clients and sessions`}
      bleed
      end={end}
    >
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
                {
                  title: 'Calls',
                  cell: ({ name }: LimitsLeft['windows'][number]) => <span title={name}>{callsOf(name)}</span>,
                },
                { title: 'In a', className: 'left', cell: ({ name }) => name.replace(/^.*-/, '') },
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
