/** Dining options and order sources of the period. */
import { useState } from 'preact/hooks';
import type { Period } from '../../model/period.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/controls.tsx';
import { SourceBars, type SourceField, useSources } from '../../parts/sources.tsx';
import { Loaded } from '../../parts/state.tsx';

const FIELDS = [
  { value: 'diningOption', label: 'Dining' },
  { value: 'orderSource', label: 'Source' },
] as const;

export function MixCard(props: { period: Period; comparison: Period | undefined; currency: string | null }) {
  const { period, comparison, currency } = props;
  const [field, setField] = useState<SourceField>('diningOption');
  const load = useSources(field, period, comparison);
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
    </Card>
  );
}
