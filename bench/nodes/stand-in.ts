/**
 * `node bench/nodes/stand-in.ts` works without end, in place of a node that is stopped: it reads and writes JSON, and
 * calls no server.
 */
import { plainOrder } from '../../test/journeys/service.ts';

/** 400 kB of text: with what is made of it more than the cache of one core holds, as it is with a node. */
let orders: unknown = Array.from({ length: 500 }, () => plainOrder());
for (;;) orders = JSON.parse(JSON.stringify(orders));
