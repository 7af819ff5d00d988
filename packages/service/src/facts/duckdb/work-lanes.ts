/** The lanes of the engine in which work may run. */
import type { Bounds, WorkLane } from '../bounds.ts';
import type { Lane } from './protocol.ts';

/** Short work uses whichever of two lanes is free, so it never waits behind long work. */
const MAY_RUN: Record<WorkLane, Lane[]> = {
  short: ['short', 'long'],
  long: ['long'],
  quick: ['quick'],
  render: ['render'],
};
/** The lanes that work with these bounds may use. */
export const lanesOf = ({ lane = 'short' }: Bounds): Lane[] => MAY_RUN[lane];
