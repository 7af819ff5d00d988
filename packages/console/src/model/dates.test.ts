import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { datesOf, formatDate, formatInstant, formatSpan, isoDate, readDate, weekdayName, weekdayOf } from './dates.ts';

describe('an instant', () => {
  it('has its date unless it is today, and its year unless it is this one', () => {
    const now = new Date(2026, 10, 20, 14, 5);
    const shown = (...at: [number, number, number]) => formatInstant(new Date(...at, 9, 30).toISOString(), now);
    assert.match(shown(2026, 10, 20), /^9:30 am/);
    assert.match(shown(2026, 10, 19), /^Nov 19, 9:30 am/);
    assert.match(shown(2025, 10, 20), /^Nov 20, 2025, 9:30 am/);
  });
});

describe('business dates', () => {
  it('are the same day in words wherever the viewer is', () => {
    const script = `import { formatDate } from '${new URL('./dates.ts', import.meta.url)}';
      console.log(['20261120', '20240229', '20260308', '20261101'].map((date) => formatDate(date, 'full')).join());`;
    const shown = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'UTC'].map((TZ) => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      });
      return stdout.trim() || stderr;
    });

    assert.deepEqual(new Set(shown).size, 1, shown.join('\n'));
    assert.match(shown[0] ?? '', /Nov 20, 2026.*Feb 29, 2024/);
  });

  it('have weekdays, spans and forms for addresses', () => {
    assert.equal(weekdayOf('20261120'), 5);
    assert.deepEqual(
      [1, 7].map((weekday) => weekdayName(weekday)),
      ['Mon', 'Sun'],
    );
    assert.equal(formatDate('20261120', 'short'), 'Fri Nov 20');
    assert.equal(formatSpan('20261024', '20261120'), 'Oct 24 to Nov 20');
    assert.equal(formatSpan('20261024', '20261120', 'full'), 'Oct 24 to Nov 20, 2026');
    assert.equal(formatSpan('20251224', '20260102'), 'Dec 24, 2025 to Jan 2, 2026');
    assert.deepEqual(datesOf('20240228', '20240301'), ['20240228', '20240229', '20240301']);
    assert.equal(isoDate('20261120'), '2026-11-20');
  });

  it('that do not exist are not read', () => {
    assert.deepEqual(['2026-11-20', '20261120', '2026-02-30', 'yesterday', '', null].map(readDate), [
      '20261120',
      '20261120',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
