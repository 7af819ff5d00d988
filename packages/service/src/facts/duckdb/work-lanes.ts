/** In which lanes of the engine work may run. */
import type { Bounds, WorkLane } from '../bounds.ts';
import type { Lane } from './protocol.ts';

/** What is short takes whichever of the two is free, so it never waits behind what is long. */
const MAY_RUN: Record<WorkLane, Lane[]> = {
  short: ['short', 'long'],
  long: ['long'],
  quick: ['quick'],
  render: ['render'],
};
/** The lanes that work of these bounds may take. */
export const lanesOf = ({ lane = 'short' }: Bounds): Lane[] => MAY_RUN[lane];
