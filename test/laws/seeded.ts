/**
 * Has fast-check draw the cases of all properties from `LAWS_SEED`. The runner loads it before a test file if that is
 * set; Node does so in each thread as well, and those of a service, which draw nothing, begin without the library.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.LAWS_SEED) });
}
