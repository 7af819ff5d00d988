/** What a chart by date shows, as a table. */
import type { DateAmount } from '../charts/date-line.tsx';
import { changeOf } from '../model/change.ts';
import { formatDate } from '../model/dates.ts';
import { formatMoney } from '../model/money.ts';
import { ChangeMark } from './change.tsx';

export function DateTable({
  dates,
  currency,
  before,
}: {
  dates: DateAmount[];
  currency: string | null;
  before?: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scrolls" tabIndex={0} aria-label="Net sales by date">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Business date</th>
            <th scope="col">Net sales</th>
            {before && <th scope="col">{before}</th>}
            {before && <th scope="col">Change</th>}
          </tr>
        </thead>
        <tbody>
          {dates.map(({ date, now, before: earlier }) => (
            <tr key={date}>
              <th scope="row">{formatDate(date, 'short')}</th>
              <td>{now === undefined ? 'No data' : formatMoney(now, currency)}</td>
              {before && <td>{earlier === undefined ? '–' : formatMoney(earlier, currency)}</td>}
              {before && (
                <td>
                  <ChangeMark change={now === undefined ? undefined : changeOf(now, earlier)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
