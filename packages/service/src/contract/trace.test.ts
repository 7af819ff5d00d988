import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginTrace, readTraceparent, traceparentOf } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('is read as the standard has it, later versions too', () => {
    const trace = { traceId: TRACE, spanId: SPAN, sampled: true };

    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-01`), trace);
    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-02`), { ...trace, sampled: false });
    assert.deepEqual(readTraceparent(`cc-${TRACE}-${SPAN}-03-what-comes-later`), trace);
  });

  it('is ignored when it is malformed', () => {
    const malformed = [
      undefined,
      '',
      'nonsense',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      [`00-${TRACE}-${SPAN}-01`],
    ];

    assert.deepEqual(
      malformed.map(readTraceparent),
      malformed.map(() => undefined),
    );
  });

  it('is written as it is read', () => {
    const trace = beginTrace();

    assert.deepEqual(readTraceparent(traceparentOf(trace)), trace);
    assert.notEqual(beginTrace().traceId, trace.traceId);
  });
});
