/** kill -9 of the engine and of the service in turn, during trade: nothing acknowledged is lost or duplicated. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTrade, verdictOf } from './load.ts';
import { openSubject } from './subject.ts';

/** How long is traded before each kill: from within the first load to after several. */
const BEFORE_MS = [20, 1000] as const;

/** Kills each of them that many times. Returns the figures; throws if anything differs from what was acknowledged. */
export async function kills(times: number, tell: (line: string) => void): Promise<string> {
  const subject = await openSubject();
  try {
    const trade = startTrade(subject.target);
    for (let round = 1; round <= times; round++) {
      await sleep(randomInt(...BEFORE_MS));
      const { engine } = await subject.pids();
      // It may have ended, and not be started again yet.
      if (engine > 0) process.kill(engine, 'SIGKILL');
      await sleep(randomInt(...BEFORE_MS));
      await subject.stop('SIGKILL');
      await subject.start();
      if (round % 10 === 0 || round === times)
        tell(`${round} of ${times}: ${trade.checks.size} orders and ${trade.reports.size} reports acknowledged`);
    }
    await trade.stop();
    const { checks, lost, doubled, reports, wrong } = await verdictOf(subject.target(), trade);
    if (lost + doubled + wrong.length > 0)
      throw new Error(`${lost} orders lost, ${doubled} doubled or unknown; ${wrong.slice(0, 10).join('; ')}`);
    const { calls, repeats } = trade.counts;
    return (
      `${times} kills of the engine and ${times} of the service: ${checks} orders and ${reports} reports acknowledged, ` +
      `0 lost, 0 doubled (${calls} calls answered, ${repeats} repeated)`
    );
  } finally {
    await subject.close();
  }
}
