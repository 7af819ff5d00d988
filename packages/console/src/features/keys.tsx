/**
 * Keyboard shortcuts: letters open screens, brackets change the dates. Single letters can be switched off, and do
 * nothing in fields.
 */

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { navigate } from '../data/router.ts';
import { createStore, useStore } from '../data/store.ts';
import { spell } from '../model/locale.ts';
import { hrefOf } from './nav.tsx';

const SETTING = 'daypart-single-keys';
const singleKeys = createStore(typeof localStorage === 'undefined' || localStorage.getItem(SETTING) !== 'off');
const help = createStore(false);
/** Whether the list of restaurants and screens is open. */
export const palette = createStore(false);

const GO: Record<string, string> = {
  o: '/',
  r: '/restaurants',
  l: '/labour',
  m: '/menu',
  p: '/reports',
  d: '/data',
  a: '/access',
};

const KEYS: readonly (readonly [string, string])[] = [
  ['g o', 'Overview'],
  ['g r', 'Restaurants'],
  ['g l', spell('Labor')],
  ['g m', 'Menu'],
  ['g p', 'Reports'],
  ['g d', 'Data'],
  ['g a', 'Access'],
  ['[ ]', 'Previous and next date'],
  ['1 2 3', 'Day, 7 days, 28 days'],
  ['c', 'Compare'],
  ['/', 'Search'],
  ['Ctrl K', 'Go to a restaurant or screen'],
  ['e', 'Export'],
  ['t', 'Charts as tables, and back'],
  ['?', 'This list'],
];

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;

const click = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

/** The action of a single key. */
function act(key: string): boolean {
  // The same as a click, so that the last date of a chosen period remains.
  if (/[123]/.test(key)) click(`[aria-label="Span"] :nth-child(${key})`);
  else if (key === '[' || key === ']' || key === 'e') click(`[data-key="${key}"]`);
  else if (key === 'c') navigate(hrefOf('/compare'));
  else if (key === 't') for (const button of document.querySelectorAll<HTMLElement>('.table-toggle')) button.click();
  else if (key === '?') help.set(true);
  else if (key === '/') {
    const field = document.querySelector<HTMLElement>('input[type="search"]');
    if (field) field.focus();
    else palette.set(true);
  } else return false;
  return true;
}

/** Listens to keys while the console is shown. */
export function useKeys(): void {
  useEffect(() => {
    let going = 0;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        palette.set(true);
        return;
      }
      const busy = event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null;
      if (busy || !singleKeys.get() || isField(event.target)) return;
      const to = Date.now() - going < 1500 ? GO[event.key] : undefined;
      going = event.key === 'g' ? Date.now() : 0;
      if (to) navigate(hrefOf(to));
      else if (!act(event.key)) return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

export function KeyHelp() {
  const open = useStore(help);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  if (!open) return null;
  return (
    <dialog ref={dialog} aria-labelledby="keys-head" onClose={() => help.set(false)}>
      <h2 id="keys-head">Keys</h2>
      <table class="plain">
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">{what}</th>
              <td>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <SingleKeys />
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}

/** Whether single letters are shortcuts (WCAG 2.1.4). This browser stores the choice. */
export function SingleKeys() {
  const on = useStore(singleKeys);
  const choose = (value: boolean): void => {
    localStorage.setItem(SETTING, value ? 'on' : 'off');
    singleKeys.set(value);
  };
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => choose(event.currentTarget.checked)} />
      Single letters as shortcuts
    </label>
  );
}
