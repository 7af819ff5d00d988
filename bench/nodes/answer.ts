/** From the commit that completes a report on one node to the answer of a retrieval that another node holds. */
import { type Figure, figureOf, median, PAIRS } from '../figures.ts';
import { type Nodes, restaurantGuid } from './installation.ts';

const REPORTS = 20;
const GOAL_MS = 50;

/** The node that gathers is not the one that is asked. */
export async function measureAnswer({ installation, token, nodes }: Nodes): Promise<Figure[]> {
  const apiNode = await installation.startNode({ DAYPART_ROLES: 'api' });
  try {
    if (nodes.length !== 1) throw new Error('another node than one gathers');
    const medians: number[] = [];
    for (let turn = 0; turn < PAIRS; turn++) {
      const delays: number[] = [];
      for (let report = 0; report < REPORTS; report++) delays.push(await measureOnce(apiNode.call));
      medians.push(median(delays));
    }
    const about = { beside: '', compared: 'alone' as const, goal: { at: 'most' as const, value: GOAL_MS } };
    const figure = 'from the commit of a report on one node to the answer on another, p50 ms';
    return [
      figureOf(
        { figure, ...about },
        medians.map((ours) => ({ ours, limit: null })),
      ),
    ];
  } finally {
    await apiNode.stop();
  }

  async function measureOnce(call: (typeof apiNode)['call']): Promise<number> {
    const json = { startBusinessDate: 20260310, restaurantIds: [restaurantGuid(0)] };
    const { body: guid } = await call('POST', '/metrics/day', { token, json });
    const { status, text } = await call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=30' } });
    const answered = Date.now();
    if (status !== 200) throw new Error(`${status} ${text}`);
    return answered - (await completedAt(String(guid)));
  }

  /** By PostgreSQL's clock, which is that of this machine. */
  async function completedAt(guid: string): Promise<number> {
    const pg = await import('pg');
    const client = new pg.default.Client({ connectionString: installation.env.DAYPART_LEDGER });
    await client.connect();
    try {
      const { rows } = await client.query('select completed_at from report_request where guid = $1', [guid]);
      return Number(rows[0]?.completed_at);
    } finally {
      await client.end();
    }
  }
}
