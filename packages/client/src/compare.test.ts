/** The dates with which a span is compared, and those beside its dates. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Comparison, comparedSpan, type DateSpan, partnerOf, spanDays } from './compare.ts';
import { addDays, daysBetween } from './dates.ts';

const RUNS = { numRuns: Number(process.env.LAWS ?? 200) };
const COMPARISONS = ['previous', 'weekday', 'year', '52-weeks'] as const;

/** `20260301 20260331` as a span. */
function span(text: string): DateSpan {
  const [start = '', end = start] = text.split(' ');
  return { start, end };
}
const shown = (of: DateSpan | undefined): string => (of ? `${of.start} ${of.end}` : 'none');
const before = (text: string, comparison: Comparison): string => shown(comparedSpan(span(text), comparison));

const spans = fc
  .record({ from: fc.nat(4000), more: fc.oneof(fc.nat(40), fc.nat(800)) })
  .map(({ from, more }) => ({ start: addDays('20200101', from), end: addDays('20200101', from + more) }));

describe('the dates with which a span is compared', () => {
  it('are the month or the year right before whole months and years, otherwise as many dates', () => {
    const cases = {
      '20260310': '20260309 20260309',
      '20260309 20260315': '20260302 20260308',
      '20260301 20260310': '20260219 20260228',
      // Of three dates more than February has, and of three less than January has.
      '20260301 20260331': '20260201 20260228',
      '20260201 20260228': '20260101 20260131',
      '20260101 20260331': '20251001 20251231',
      '20240101 20241231': '20230101 20231231',
      '20240301 20250228': '20230301 20240229',
      '20240302 20250301': '20230303 20240301',
    };
    for (const [text, compared] of Object.entries(cases)) assert.equal(before(text, 'previous'), compared, text);
  });

  it('on the same weekdays are the nearest whole weeks before, and 52 weeks before a year', () => {
    const cases = {
      '20260310': '20260303 20260303',
      '20260309 20260315': '20260302 20260308',
      '20260301 20260310': '20260215 20260224',
      '20261024 20261120': '20260926 20261023',
      // 364, 365, 366 and 367 dates.
      '20251127 20261125': '20241128 20251126',
      '20250101 20251231': '20240103 20250101',
      '20240101 20241231': '20230102 20240102',
      '20240101 20250101': '20221226 20231227',
    };
    for (const [text, compared] of Object.entries(cases)) assert.equal(before(text, 'weekday'), compared, text);
  });

  it('of the year before are the same dates, and 29 February has none', () => {
    const cases = {
      '20260310': '20250310 20250310',
      '20240201 20240229': '20230201 20230228',
      '20240229 20240302': '20230301 20230302',
      '20240229': 'none',
      '20240229 20250227': '20230301 20240227',
      '20250101 20251231': '20240101 20241231',
      '20240101 20241231': '20230101 20231231',
    };
    for (const [text, compared] of Object.entries(cases)) assert.equal(before(text, 'year'), compared, text);
  });

  it('52 weeks before have the same weekdays, from 29 February too', () => {
    assert.equal(before('20240229', '52-weeks'), '20230302 20230302');
    assert.equal(before('20260301 20260331', '52-weeks'), '20250302 20250401');
  });

  it('are as many, end before the span begins, and keep the weekdays, where weekdays are compared', () => {
    fc.assert(
      fc.property(spans, (one) => {
        const compared = comparedSpan(one, 'weekday') ?? assert.fail();

        assert.equal(spanDays(compared), spanDays(one));
        assert.equal(daysBetween(compared.start, one.start) % 7, 0);
        if (![365, 366].includes(spanDays(one))) assert.ok(compared.end < one.start);
        assert.ok(daysBetween(compared.end, one.start) <= 7);
      }),
      RUNS,
    );
  });
});

describe('the date beside another', () => {
  const pairs = (text: string, comparison: Comparison): string[] => {
    const one = span(text);
    return Array.from({ length: spanDays(one) }, (_, at) => addDays(one.start, at)).map(
      (date) => `${date} ${partnerOf(date, one, comparison) ?? 'none'}`,
    );
  };

  it('is the same date a year before, in leap years too', () => {
    assert.deepEqual(pairs('20240228 20240301', 'year'), ['20240228 20230228', '20240229 none', '20240301 20230301']);
    assert.deepEqual(pairs('20250228 20250301', 'year'), ['20250228 20240228', '20250301 20240301']);
    // A calendar year beside the one before is the same, whichever word names it.
    assert.deepEqual(pairs('20250101 20251231', 'previous'), pairs('20250101 20251231', 'year'));
  });

  it('is the same day of the month beside whole months, as far as they have it', () => {
    assert.deepEqual(pairs('20260301 20260331', 'previous').slice(26), [
      '20260327 20260227',
      '20260328 20260228',
      '20260329 none',
      '20260330 none',
      '20260331 none',
    ]);
    assert.equal(partnerOf('20260301', span('20260101 20260331'), 'previous'), '20251201');
  });

  it('is within the compared dates, is beside no other, and the first is beside the first', () => {
    fc.assert(
      fc.property(spans, fc.constantFrom(...COMPARISONS), (one, comparison) => {
        const compared = comparedSpan(one, comparison);
        const dates = Array.from({ length: spanDays(one) }, (_, at) => addDays(one.start, at));

        const partners = dates.flatMap((date) => partnerOf(date, one, comparison) ?? []);

        assert.equal(partners[0], compared?.start);
        assert.equal(new Set(partners).size, partners.length);
        assert.ok(partners.every((date) => compared && date >= compared.start && date <= compared.end));
        // Only 29 February, and days that the month before does not have, are alone.
        assert.ok(comparison === 'year' || comparison === 'previous' || partners.length === dates.length);
        if (comparison === 'year') assert.ok(partners.length >= dates.length - Math.ceil(dates.length / 365));
      }),
      RUNS,
    );
  });
});
