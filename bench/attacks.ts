/**
 * The slowest answer that one management group gets while another attacks (test/faults/attack-list.ts), compared with
 * an idle service.
 */
import { ATTACKS } from '../test/faults/attack-list.ts';
import { besiege, type Siege, victimRound } from '../test/faults/attacks.ts';
import { type Figure, figureOf } from './figures.ts';

/** Until the code is compiled, and for the idle figure. */
const ROUNDS = 40;
const MOST_MS = 1000;

/** The siege with the slowest call of the victim since `slowest` was last called, in ms. */
function timed(siege: Siege): { call: Siege['call']; slowest(): number } {
  let most = 0;
  return {
    async call(...args) {
      const began = performance.now();
      const answer = await siege.call(...args);
      most = Math.max(most, performance.now() - began);
      return answer;
    },
    slowest() {
      const was = most;
      most = 0;
      return was;
    },
  };
}

export async function attacks(): Promise<Figure[]> {
  const siege = await besiege({ DAYPART_REQUEST_SECONDS: '5' });
  try {
    const victim = timed(siege);
    for (let i = 0; i < ROUNDS; i++) await victimRound(victim);
    victim.slowest();
    for (let i = 0; i < ROUNDS; i++) await victimRound(victim);
    const idle = victim.slowest();
    const figures: Figure[] = [];
    for (const { name, body, status } of ATTACKS) {
      let isOver = false;
      const attack = siege.send('attacker', body()).finally(() => {
        isOver = true;
      });
      do await victimRound(victim);
      while (!isOver);
      const answer = await attack;
      if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      figures.push(
        figureOf(
          {
            figure: `slowest answer of another group during ${name}, ms`,
            beside: 'the slowest when idle',
            compared: 'alone',
            goal: { at: 'most', value: MOST_MS },
          },
          [{ ours: victim.slowest(), limit: idle }],
        ),
      );
    }
    return figures;
  } finally {
    await siege.close();
  }
}
