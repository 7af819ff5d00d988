import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill/full';
import { addDays, type BusinessDate, businessDate, businessDateAt, daysBetween, splitSpan } from './dates.ts';

const LAWS = Number(process.env.LAWS ?? 200);

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

const FIRST = Temporal.PlainDate.from('1000-01-01');
const DAYS = FIRST.until('9999-12-31').days;
const dates = fc
  .oneof(fc.nat(DAYS), fc.integer({ min: 365_000, max: 380_000 }))
  .map((days) => FIRST.add({ days: Math.min(days, DAYS) }));
const textOf = (date: Temporal.PlainDate): string => date.toString().replaceAll('-', '');

test('a date is read from every form that it is written in', () => {
  const forms: BusinessDate[] = [
    '20260310',
    20260310,
    '2026-03-10',
    { year: 2026, month: 3, day: 10 },
    Temporal.PlainDate.from('2026-03-10'),
    Temporal.PlainDate.from('2026-03-10').withCalendar('gregory'),
    Temporal.PlainDateTime.from('2026-03-10T23:59:59'),
  ];

  const read = forms.map(businessDate);

  assert.deepEqual(read, Array(7).fill('20260310'));
});

test('what is not written as a date is a TypeError that says how to write it', () => {
  const refused: [unknown, RegExp][] = [
    ['10.03.2026', /^TypeError: "10\.03\.2026" is no business date: YYYYMMDD, YYYY-MM-DD or \{ year, month, day \}$/],
    ['2026-0310', /"2026-0310" is no business date/],
    ['2026-03-10T00:00:00Z', /is no business date/],
    [' 20260310', /is no business date/],
    [2026031, /2026031 is no business date/],
    [20260310.5, /20260310\.5 is no business date/],
    [Number.NaN, /is no business date/],
    [undefined, /undefined is no business date/],
    [null, /null is no business date/],
    [{}, /\{\} is no business date/],
    [{ year: 2026, month: 3 }, /is no business date/],
    [{ year: 2026, month: 3, day: 1.5 }, /is no business date/],
    [{ year: '2026', month: '03', day: '10' }, /is no business date/],
    [new Date('2026-03-10'), /pass the parts of a Date, or use businessDateAt/],
    [Temporal.PlainDate.from('2026-03-10').withCalendar('buddhist'), /pass date\.withCalendar\('iso8601'\)/],
  ];

  for (const [date, message] of refused) {
    assert.throws(
      () => businessDate(date as BusinessDate),
      (error) => error instanceof TypeError && message.test(String(error)),
      String(date),
    );
  }
});

test('a day that the calendar does not have is a RangeError that says which there are', () => {
  const refused: [BusinessDate, RegExp][] = [
    ['2026-02-30', /^"2026-02-30" is no business date: the day must be a whole number from 1 to 28, not 30$/],
    [20261301, /^20261301 is no business date: the month must be a whole number from 1 to 12, not 13$/],
    ['20260001', /the month .* not 0$/],
    ['20260400', /the day must be a whole number from 1 to 30, not 0$/],
    ['19000229', /from 1 to 28/],
    ['0999-12-31', /the year must be a whole number from 1000 to 9999, not 999$/],
    [{ year: 12026, month: 3, day: 10 }, /the year .* not 12026$/],
  ];

  for (const [date, message] of refused) assert.throws(() => businessDate(date), { name: 'RangeError', message });
  assert.equal(businessDate('2000-02-29'), '20000229');
});

test('days are counted as the calendar has them', () => {
  fc.assert(
    fc.property(dates, dates, (from, to) => {
      const days = from.until(to).days;

      assert.equal(businessDate(from), textOf(from));
      assert.equal(daysBetween(from, to), days);
      assert.equal(addDays(from, days), textOf(to));
      assert.equal(addDays(textOf(to), -days), textOf(from));
    }),
    { numRuns: LAWS },
  );
});

test('days that are not whole, or lead out of the calendar, are refused', () => {
  assert.throws(() => addDays(20260310, 0.5), /^RangeError: days must be a whole number .* not 0.5$/);
  assert.throws(() => addDays(20260310, Number.NaN), RangeError);
  assert.throws(() => addDays(99991231, 1), /^RangeError: The year must be .* not 10000$/);
  assert.throws(() => addDays(10000101, -1), /^RangeError: The year must be .* not 999$/);
});

test('the pieces of a span join to it without gap or overlap, each as long as it may be but the last', () => {
  fc.assert(
    fc.property(dates, fc.nat(1000), fc.integer({ min: 1, max: 400 }), (from, length, days) => {
      const end = Temporal.PlainDate.compare(from, '9990-01-01') < 0 ? from.add({ days: length }) : from;

      const pieces = splitSpan(from, end, days);

      assert.equal(pieces[0]?.start, textOf(from));
      assert.equal(pieces.at(-1)?.end, textOf(end));
      for (const [at, piece] of pieces.entries()) {
        const long = daysBetween(piece.start, piece.end) + 1;
        const next = pieces[at + 1];
        assert.ok(next ? long === days : long >= 1 && long <= days);
        if (next) assert.equal(next.start, addDays(piece.end, 1));
      }
    }),
    { numRuns: LAWS },
  );
});

test('a span that ends before it starts, and pieces without days, are refused', () => {
  assert.throws(() => splitSpan(20260310, 20260309, 7), /^RangeError: The span ends on 20260309, before it starts$/);
  for (const days of [0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN]) {
    assert.throws(() => splitSpan(20260310, 20260311, days), /^RangeError: days must be a whole number from 1/);
  }
});

test('an instant is on the local date, or on the day before until the closeout hour', () => {
  const at = (text: string, zone: string, closeoutHour?: number): string =>
    businessDateAt(new Date(text), zone, closeoutHour);

  assert.equal(at('2026-03-10T07:59:59.999Z', 'America/New_York'), '20260309');
  assert.equal(at('2026-03-10T08:00:00Z', 'America/New_York'), '20260310');
  assert.equal(at('2026-03-10T04:00:00Z', 'America/New_York', 0), '20260310');
  assert.equal(at('2026-03-10T10:00:00Z', 'Pacific/Kiritimati'), '20260310');
  assert.equal(at('2026-03-10T18:00:00Z', 'Pacific/Kiritimati'), '20260311');
  // The clock jumps from 2 to 3: with a closeout hour of 3 the date changes at 2 o'clock of the winter time, 10:00 UTC.
  assert.equal(at('2026-03-08T09:59:59Z', 'America/Los_Angeles', 3), '20260307');
  assert.equal(at('2026-03-08T10:00:00Z', 'America/Los_Angeles', 3), '20260308');
  // It shows 1:30 twice: both are of the day before.
  assert.equal(at('2026-11-01T08:30:00Z', 'America/Los_Angeles', 2), '20261031');
  assert.equal(at('2026-11-01T09:30:00Z', 'America/Los_Angeles', 2), '20261031');
});

test('every instant is on the business date that Temporal says, over clock changes too', () => {
  const changes = ['2011-12-30', '2025-11-02', '2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25'];
  const instants = fc.oneof(
    fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2040, 0, 1) }),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400_000, max: 2 * 86_400_000 }))
      .map(([date, ms]) => Date.parse(date) + ms),
  );
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 12 }), (instant, zone, closeoutHour) => {
      const clock = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
      const expected = clock.toPlainDate().subtract({ days: clock.hour < closeoutHour ? 1 : 0 });

      assert.equal(businessDateAt(instant, zone, closeoutHour), textOf(expected));
      assert.equal(businessDateAt(new Date(instant), zone, closeoutHour), textOf(expected));
    }),
    { numRuns: LAWS },
  );
});

test('a zone, an instant or a closeout hour that there is not is refused', () => {
  assert.throws(() => businessDateAt(0, 'Mars/Olympus'), RangeError);
  assert.throws(() => businessDateAt(0, 'constructor'), RangeError);
  assert.throws(() => businessDateAt(new Date('nonsense'), 'UTC'), RangeError);
  assert.throws(() => businessDateAt(0, 'UTC', 13), /^RangeError: closeoutHour must be a whole number from 0 to 12/);
  assert.throws(() => businessDateAt(0, 'UTC', 4.5), RangeError);
});

test('the time zone and the language of the machine change nothing', () => {
  const script = `
    import { addDays, businessDate, businessDateAt, daysBetween, splitSpan } from ${JSON.stringify(new URL('dates.ts', import.meta.url))};
    const found = [];
    for (const date of ['2026-03-08', 20260329, { year: 2026, month: 11, day: 1 }, '20111229', '10000101']) {
      found.push(businessDate(date), addDays(date, 1), daysBetween(date, 20261231), splitSpan(date, addDays(date, 40), 7));
    }
    for (let hour = 0; hour < 72; hour++) {
      found.push(businessDateAt(Date.UTC(2026, 2, 7, hour), 'America/Los_Angeles'));
    }
    console.log(new Date(0).getTimezoneOffset() + '|' + JSON.stringify(found));
  `;
  const runs = [
    { TZ: 'UTC' },
    { TZ: 'Pacific/Kiritimati' },
    { TZ: 'America/Los_Angeles', LC_ALL: 'th_TH.UTF-8' },
    { TZ: 'Pacific/Apia', LC_ALL: 'ar_EG.UTF-8' },
  ].map((env) => {
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.split('|');
  });

  const offsets = new Set(runs.map(([offset]) => offset));
  const answers = new Set(runs.map(([, answer]) => answer));
  assert.equal(offsets.size, 4);
  assert.equal(answers.size, 1);
  assert.match([...answers][0] ?? '', /"20260308"/);
});
