/** A check with its amounts, items, card payments and refunds. */
import { cents, type StoredCheck } from '@daypart/client';
import { type Check, readCheck } from '../../data/checks.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { Loaded } from '../../features/state.tsx';
import { formatDate, formatTime } from '../../model/dates.ts';
import { sourceName } from '../../model/filter.ts';
import { NUMBERS } from '../../model/locale.ts';
import { formatMoney } from '../../model/money.ts';
import { Dialog, type Fact, Facts } from '../../widgets/dialog.tsx';
import { DataTable, type PlainColumn } from '../../widgets/table.tsx';

interface CheckProps {
  check: Check;
  restaurant: Restaurant;
  /** Its status in a word. */
  status: string;
  onClose: () => void;
}

export function CheckDialog({ check, restaurant, status, onClose }: CheckProps) {
  const { guid, currencyCode, timeZone } = restaurant;
  const { checkGuid, checkPaidDateTime: paid } = check;
  const { watermark } = useGroup();
  const load = useLoad(`check ${guid} ${checkGuid} ${watermark}`, (reading) => readCheck(guid, checkGuid, reading));
  const money = (amount: number): string => formatMoney(cents(amount), currencyCode);
  const facts: Fact[] = [
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
    <Dialog title={`Check ${check.checkNumber ?? checkGuid.slice(0, 8)}`} onClose={onClose}>
      <Facts facts={facts} />
      <Loaded load={load} height={240}>
        {(stored) =>
          stored ? (
            <Parts stored={stored} money={money} timeZone={timeZone} />
          ) : (
            <p>It is no longer loaded, so its items and payments are unknown.</p>
          )
        }
      </Loaded>
      <p class="note">Single discounts, cash and other payments are not listed.</p>
    </Dialog>
  );
}

interface PartsProps {
  stored: StoredCheck;
  money: (amount: number) => string;
  timeZone: string;
}

type Item = StoredCheck['items'][number];
type Payment = StoredCheck['payments'][number];
type Refund = StoredCheck['refunds'][number];

function Parts({ stored: { items, payments, refunds }, money, timeZone }: PartsProps) {
  const some = (amount: number): string => (amount === 0 ? '–' : money(amount));
  const refunded = ({ refundAmount }: Item | Payment): string => some(refundAmount);
  const modifiers = items.filter(({ modifier }) => modifier);
  const itemColumns: PlainColumn<Item>[] = [
    { title: 'Name', cell: (item) => <ItemName item={item} money={money} /> },
    { title: 'Sold', cell: ({ quantity }) => quantity.toLocaleString(NUMBERS) },
    { title: 'Gross', cell: ({ grossSalesAmount }) => money(grossSalesAmount) },
    { title: 'Discount', cell: ({ discountAmount }) => some(discountAmount) },
    { title: 'Net', cell: ({ netSalesAmount }) => money(netSalesAmount) },
  ];
  const paymentColumns: PlainColumn<Payment>[] = [
    { title: 'Card', cell: ({ cardBrand, cardType }) => sourceName(cardBrand ?? cardType) },
    { title: 'Paid', cell: ({ paidDate }) => formatTime(paidDate, timeZone) },
    { title: 'Amount', cell: ({ amount }) => money(amount) },
    { title: 'Tip', cell: ({ tipAmount }) => some(tipAmount) },
    { title: 'Refunded', cell: refunded },
  ];
  const refundColumns: PlainColumn<Refund>[] = [
    { title: 'Business date', cell: ({ businessDate }) => formatDate(businessDate, 'full') },
    { title: 'Of net sales', cell: ({ amount }) => money(amount) },
  ];
  return (
    <div class="stack">
      <Part title="Items" rows={items.filter(({ modifier }) => !modifier)} columns={itemColumns} />
      {modifiers.length > 0 && (
        <Part title="Modifiers, in the prices of items" rows={modifiers} columns={itemColumns} />
      )}
      <Part title="Card payments" rows={payments} columns={paymentColumns} />
      {refunds.length > 0 && <Part title="Refunds" rows={refunds} columns={refundColumns} />}
    </div>
  );
}

/** The name of an item or modifier, with what is in no column: what was voided and refunded of it. */
function ItemName({ item: { name, voidAmount, refundAmount }, money }: { item: Item; money: PartsProps['money'] }) {
  const notes = [
    voidAmount > 0 && `${money(voidAmount)} voided`,
    refundAmount > 0 && `${money(refundAmount)} refunded`,
  ];
  return (
    <>
      {name ?? 'Without a name'} <small class="faint">{notes.filter(Boolean).join(', ')}</small>
    </>
  );
}

interface PartProps<T> {
  title: string;
  rows: T[];
  columns: PlainColumn<T>[];
}

function Part<T>({ title, rows, columns }: PartProps<T>) {
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="note">None are known.</p>
      ) : (
        <DataTable
          label={`Table of ${title.toLowerCase()}`}
          className="plain"
          rows={rows}
          keyOf={(_, at) => String(at)}
          columns={columns}
        />
      )}
    </>
  );
}
