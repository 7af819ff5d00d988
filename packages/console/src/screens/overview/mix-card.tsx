/** Dining options and order sources of the period. */
import { useState } from 'preact/hooks';
import type { Compared } from '../../data/compared.ts';
import type { Load } from '../../data/load.ts';
import type { NetTotal } from '../../data/metrics.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/controls.tsx';
import { SourceBars, type SourceField, useOrderSources } from '../../parts/sources.tsx';
import { Loaded } from '../../parts/state.tsx';

const FIELDS = [
  { value: 'diningOption', label: 'Dining' },
  { value: 'orderSource', label: 'Source' },
] as const;

interface MixProps {
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
  dining: Load<Compared<NetTotal>>;
  /** That the day is not over, and what it is compared with then. */
  note: string | undefined;
}

export function MixCard({ period, comparison, currency, dining, note }: MixProps) {
  const [field, setField] = useState<SourceField>('diningOption');
  const sources = useOrderSources(period, comparison, field === 'orderSource');
  const load = field === 'orderSource' ? sources : dining;
  return (
    <Card
      title={field === 'diningOption' ? 'Dining options' : 'Order sources'}
      end={<Segments label="Split by" options={FIELDS} value={field} onChange={setField} small />}
      guid={load.data?.guid}
      width={5}
    >
      <Loaded load={load} height={200}>
        {(data) => <SourceBars data={data} field={field} currency={currency} />}
      </Loaded>
      {note && <p class="note">{note}</p>}
    </Card>
  );
}
