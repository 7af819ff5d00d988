/**
 * Has fast-check draw the cases of all properties from `LAWS_SEED`. The runner loads it before a test file if that is
 * set.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.LAWS_SEED) });
