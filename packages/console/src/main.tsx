/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './data/router.ts';

startRouter();
const root = document.getElementById('app');
if (root) render(<App />, root);
