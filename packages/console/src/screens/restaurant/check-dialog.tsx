/** A check with its amounts and its card payments. */
import { cents, type PayoutPaymentRecord } from '@daypart/client';
import type { Check } from '../../data/checks.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { readPayments } from '../../data/payments.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { Loaded } from '../../features/state.tsx';
import { formatTime, isoDate } from '../../model/dates.ts';
import { nameOf } from '../../model/filter.ts';
import { formatMoney } from '../../model/money.ts';
import { Dialog } from '../../widgets/dialog.tsx';
import { DataTable } from '../../widgets/table.tsx';

interface CheckProps {
  check: Check;
  restaurant: Restaurant;
  /** Its status in a word. */
  status: string;
  onClose: () => void;
}

export function CheckDialog({ check, restaurant, status, onClose }: CheckProps) {
  const { guid, currencyCode, timeZone } = restaurant;
  const { orderOpenDate: date, checkPaidDateTime: paid } = check;
  const { watermark } = useGroup();
  const load = useLoad(`payments ${guid} ${date} ${watermark}`, (reading) => readPayments(date, guid, reading));
  const money = (amount: number): string => formatMoney(cents(amount), currencyCode);
  const facts: [string, string | number | null | false][] = [
    ['Order', check.orderNumber],
    ['Status', status],
    ['Paid', paid && formatTime(paid, timeZone)],
    ['Dining option', check.diningOption],
    ['Revenue center', check.revenueCenter],
    ['Server', check.serverName],
    ['Discounts', check.checkDiscountAmount > 0 && money(check.checkDiscountAmount)],
    ['Tax', money(check.checkTaxAmount)],
    ['Tips', check.checkTipAmount > 0 && money(check.checkTipAmount)],
    ['Gratuity', check.checkGratuityAmount > 0 && money(check.checkGratuityAmount)],
    ['Refunds', check.checkRefundAmount > 0 && money(check.checkRefundAmount)],
    ['Total', money(check.checkTotalAmount)],
  ];
  return (
    <Dialog title={`Check ${check.checkNumber ?? check.checkGuid.slice(0, 8)}`} onClose={onClose}>
      <table class="plain">
        <tbody>
          {facts.map(
            ([name, value]) =>
              value && (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{value}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      <h3>Card payments</h3>
      <Loaded load={load} height={74}>
        {({ rows }) => <Payments rows={rows.filter(({ checkGuid }) => checkGuid === check.checkGuid)} money={money} />}
      </Loaded>
      <p class="note">
        Items and discounts are reported by date, not by check:{' '}
        <a href={`/menu?span=day&d=${isoDate(date)}&r=${guid}`}>the menu of this date</a>
      </p>
    </Dialog>
  );
}

function Payments({ rows, money }: { rows: PayoutPaymentRecord[]; money: (amount: number) => string }) {
  if (rows.length === 0) return <p class="note">None on this date. Cash is not listed.</p>;
  return (
    <DataTable
      label="Table of card payments"
      rows={rows}
      keyOf={({ paymentGuid }) => paymentGuid}
      columns={[
        {
          title: 'Card',
          cell: ({ paymentCardBrand, paymentCardType }) => nameOf(paymentCardBrand ?? paymentCardType),
        },
        // Local to the restaurant, without a zone.
        { title: 'Paid', cell: ({ paidDateTime }) => formatTime(`${paidDateTime}Z`, 'UTC') },
        { title: 'Amount', cell: ({ paymentSubtotal }) => money(paymentSubtotal) },
        { title: 'Tip', cell: ({ tipAmount }) => money(tipAmount) },
        { title: 'Total', className: 'strong', cell: ({ paymentTotal }) => money(paymentTotal) },
      ]}
    />
  );
}
