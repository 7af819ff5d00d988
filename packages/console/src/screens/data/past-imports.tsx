/** Imports over HTTP of the last 30 days, and the parts of their files that were not read. */
import type { ListedImport } from '@daypart/client';
import { useState } from 'preact/hooks';
import { useGroup } from '../../data/group.ts';
import { readImports } from '../../data/imports.ts';
import { useCurrent } from '../../data/load.ts';
import { Loaded } from '../../features/state.tsx';
import { formatDate, formatInstant } from '../../model/dates.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { DataTable, MoreButton } from '../../widgets/table.tsx';
import { FilesOfImport, sumOfImport } from './import-report.tsx';

const IMPORTS_SHOWN = 10;

export function PastImports() {
  const { byGuid, watermark } = useGroup();
  const [all, setAll] = useState(false);
  const load = useCurrent(`imports ${watermark}`, ({ signal }) => readImports(signal));
  const count = load.data?.length ?? 0;
  const end = count > IMPORTS_SHOWN && <MoreButton all={all} count={formatCount(count)} onClick={() => setAll(!all)} />;
  return (
    <Card title="Imports" aside="of the last 30 days, newest first" end={end} bleed>
      <Loaded load={load} height={160}>
        {(imports) =>
          imports.length === 0 ? (
            <p class="state">
              <b>No imports over HTTP.</b>
              <span>
                Folders that are imported here are listed for 30 days. What <span class="mono">daypart import</span>{' '}
                loads at the service itself is in the calendar alone.
              </span>
            </p>
          ) : (
            <DataTable
              label="Table of imports"
              rows={imports.slice(0, all ? undefined : IMPORTS_SHOWN)}
              keyOf={({ importId }) => importId}
              columns={[
                { title: 'Business date', cell: ({ businessDate }: ListedImport) => formatDate(businessDate, 'full') },
                {
                  title: 'Restaurant',
                  className: 'left wrap',
                  cell: ({ restaurantGuid: guid }) => (
                    <a href={`/restaurants/${guid}`}>{byGuid.get(guid)?.name ?? guid}</a>
                  ),
                },
                { title: 'Loaded', className: 'left wrap', cell: ({ report }) => <FilesOfImport report={report} /> },
                {
                  title: 'State',
                  className: 'left',
                  cell: ({ report }) => (
                    <span class={`tag ${report.complete ? 'good' : 'warn'}`}>
                      {report.complete ? 'complete' : sumOfImport(report).orders > 0 ? 'in part' : 'not loaded'}
                    </span>
                  ),
                },
                { title: 'Client', className: 'left wide', cell: ({ clientId }) => clientId },
                { title: 'At', className: 'wide', cell: ({ at }) => formatInstant(at) },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
