/** Checks by server: whose discounts and voids are unlike the others'. */
import { cents } from '@daypart/client';
import type { Check } from '../../data/checks.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import { Card } from '../../parts/card.tsx';

const SHOWN = 25;

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

export function ServersCard({ servers, currency, guid }: ServersProps) {
  const all = [...servers]
    .map(([name, checks]) => serverOf(name, checks))
    .sort((one, other) => other.totalCents - one.totalCents);
  if (all.length === 0) return null;
  return (
    <Card title="Servers" aside="by the total of their checks" guid={guid} bleed>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room */}
      <section class="table-box" aria-label="Table of servers" tabIndex={0}>
        <table class="data dense">
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Checks</th>
              <th scope="col">Total</th>
              <th scope="col" class="wide">
                Discounts
              </th>
              <th scope="col" class="wide">
                of total
              </th>
              <th scope="col">Voided</th>
              <th scope="col" class="wide">
                Tips
              </th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, SHOWN).map(({ name, checks, voided, totalCents, discountCents, tipCents }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatCount(checks)}</td>
                <td class="strong">{formatMoney(totalCents, currency)}</td>
                <td class="wide">{formatMoney(discountCents, currency)}</td>
                <td class="wide">{totalCents > 0 ? formatShare(discountCents / totalCents) : '–'}</td>
                <td>{formatCount(voided)}</td>
                <td class="wide">{formatMoney(tipCents, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
