/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startRoot } from './data/root.ts';
import { startRouter } from './data/router.ts';

startRoot();
startRouter();
const root = document.getElementById('app');
if (root) render(<App />, root);
