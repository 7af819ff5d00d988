/** Connections and the first steps: a script of its own, because few visits need it. */
export { Connect } from './connections/connect.tsx';
export { Connections } from './connections/connections.tsx';
export { FirstRun } from './connections/first-run.tsx';
