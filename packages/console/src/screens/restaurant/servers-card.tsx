/** Checks by server, to find discounts and voids that differ from those of the others. */
import { cents } from '@daypart/client';
import { useState } from 'preact/hooks';
import type { Check } from '../../data/checks.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { DataTable, MoreButton, type PlainColumn } from '../../widgets/table.tsx';

const SERVERS_SHOWN = 25;

interface Server {
  name: string;
  checks: number;
  voided: number;
  totalCents: number;
  discountCents: number;
  tipCents: number;
}

function serverOf(name: string | null, checks: Check[]): Server {
  const sum = (of: (check: Check) => number): number => checks.reduce((total, check) => total + cents(of(check)), 0);
  return {
    name: name ?? 'No server',
    checks: checks.length,
    voided: checks.filter(({ checkVoidedStatus }) => checkVoidedStatus).length,
    totalCents: sum(({ checkTotalAmount }) => checkTotalAmount),
    discountCents: sum(({ checkDiscountAmount }) => checkDiscountAmount),
    tipCents: sum(({ checkTipAmount }) => checkTipAmount),
  };
}

interface ServersProps {
  servers: ReadonlyMap<string | null, Check[]>;
  currency: string | null;
  guid: string;
}

const serverColumns = (currency: string | null): PlainColumn<Server>[] => [
  { title: 'Server', cell: ({ name }) => name },
  { title: 'Checks', cell: ({ checks }) => formatCount(checks) },
  { title: 'Total', className: 'strong', cell: ({ totalCents }) => formatMoney(totalCents, currency) },
  { title: 'Discounts', className: 'wide', cell: ({ discountCents }) => formatMoney(discountCents, currency) },
  {
    title: 'of total',
    className: 'wide',
    cell: ({ totalCents, discountCents }) => (totalCents > 0 ? formatShare(discountCents / totalCents) : '–'),
  },
  { title: 'Voided', cell: ({ voided }) => formatCount(voided) },
  { title: 'Tips', className: 'wide', cell: ({ tipCents }) => formatMoney(tipCents, currency) },
];

export function ServersCard({ servers, currency, guid }: ServersProps) {
  const [all, setAll] = useState(false);
  const rows = [...servers].map(([name, checks]) => serverOf(name, checks)).sort((a, b) => b.totalCents - a.totalCents);
  if (rows.length === 0) return null;
  const end = rows.length > SERVERS_SHOWN && (
    <MoreButton all={all} count={formatCount(rows.length)} onClick={() => setAll(!all)} />
  );
  return (
    <Card title="Servers" aside="by the total of their checks" end={end} guid={guid} bleed>
      <DataTable
        label="Table of servers"
        columns={serverColumns(currency)}
        rows={rows.slice(0, all ? undefined : SERVERS_SHOWN)}
        keyOf={({ name }) => name}
      />
    </Card>
  );
}
