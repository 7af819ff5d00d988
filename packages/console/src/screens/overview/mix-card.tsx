/** Dining options and order sources of the period. */

import { type Mix, sayLast } from '../../features/hours-card.tsx';
import { Notes } from '../../features/screen.tsx';
import { SourceBars, useOrderSources } from '../../features/sources.tsx';
import { Loaded } from '../../features/state.tsx';
import { useChoice } from '../../features/tools.tsx';
import type { SourceField } from '../../model/filter.ts';
import { Card } from '../../widgets/card.tsx';
import { Segments } from '../../widgets/controls.tsx';

export const MIX_FIELDS = [
  { value: 'diningOption', label: 'Dining' },
  { value: 'orderSource', label: 'Source' },
] as const;

interface MixProps {
  mix: Mix;
  currency: string | null;
  /** Whether the two are of the same restaurants and hours. */
  comparable: boolean;
  /** What the changes compare. */
  notes: (string | undefined)[];
}

export function MixCard({ mix: { dining, wanted, filter }, currency, comparable, notes }: MixProps) {
  const [field, setField] = useChoice<SourceField>('by', MIX_FIELDS);
  const sources = useOrderSources(wanted, field === 'orderSource', filter);
  const load = field === 'orderSource' ? sources : dining;
  return (
    <Card
      title={field === 'diningOption' ? 'Dining options' : 'Order sources'}
      aside={sayLast(load.shown)}
      end={<Segments label="Split by" options={MIX_FIELDS} value={field} onChange={setField} small />}
      guid={load.data?.guid}
      width={5}
    >
      <Loaded load={load} height={200}>
        {(data) => <SourceBars data={data} field={field} currency={currency} comparable={comparable} />}
      </Loaded>
      <Notes notes={notes} />
    </Card>
  );
}
