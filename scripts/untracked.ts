/**
 * Has Node's test runner not follow promises. It follows each, to know the test of an error that nobody caught: a tenth
 * of the time of tests that await much. Such an error fails its file all the same, whose output has the error and not
 * the test; run alone, as `npm test -- file` does and CI once more, it has both. The runner loads this before a file,
 * which then loads `node:test`, and that takes its hook.
 */
import hooks from 'node:async_hooks';

const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
