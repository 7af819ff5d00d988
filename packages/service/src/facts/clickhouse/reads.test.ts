import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Aggregate } from '../../contract/words.ts';
import { SUMMED_METRICS_SQL } from '../duckdb/families/metrics.ts';
import { reportQuery } from '../duckdb/gather.ts';
import { isReadIn, READABLE, readTable } from './reads.ts';

const SEEN = { snapshot: { high: 9, except: [7] }, promoted: undefined, forgotten: 0, now: 0 };
const CUT = { restaurants: [1, 2], from: 20260301, to: 20260331 };

describe('reads from ClickHouse', () => {
  for (const aggregate of ['HOUR', 'DAYPART', 'DAY'] satisfies Aggregate[])
    it(`of metrics by ${aggregate} are sums, and refunds at other times: no order and no time entry is fetched`, () => {
      const query = { kind: 'metrics', startDate: CUT.from, endDate: CUT.to, aggregate, groups: [], restaurants: [] };
      const { sql } = reportQuery(SUMMED_METRICS_SQL, query);
      const byDay = ['all_sheets', 'all_labour_sheets'];
      const expected = aggregate === 'DAY' ? byDay : ['hour_rollups', 'refunds', 'worked_hours'];
      assert.deepEqual(new Set(READABLE.filter((table) => isReadIn(sql, table))), new Set(['names', ...expected]));
    });

  it('sum rollups up by the columns that a report uses', () => {
    const seen = { ...SEEN, promoted: { promotion: 3, except: [], snapshot: { high: 5, except: [] } } };
    const text = readTable('all_sheets', CUT, seen, ['restaurant_id', 'business_date', 'kept', 'guests']);
    assert.match(text, /^select restaurant_id, business_date, sum\(kept\) as kept, sum\(guests\) as guests\n/);
    assert.match(text, /select restaurant_id, business_date, kept, guests from sheets .*not \(load <= 5\)/);
    assert.match(text, /select restaurant_id, business_date, kept, guests from promoted_sheets /);
    assert.match(text, /group by restaurant_id, business_date$/);
  });

  it('compute the sums that are asked for, by what is asked for', () => {
    const text = readTable('hour_rollups', CUT, SEEN, ['restaurant_id', 'business_date', 'source', 'orders']);
    assert.match(
      text,
      /select restaurant_id, business_date, source, sumIf\(sign, status = 'counted'\) as orders\s+from orders/,
    );
    assert.match(text, /restaurant_id in \(1,2\).*between 20260301 and 20260331.*load <= 9 and load not in \(7\)/);
    assert.match(text, /group by restaurant_id, business_date, source\n/);
  });
});
