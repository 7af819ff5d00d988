/** Opens a restaurant or a screen by some letters of its name. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useGroupState } from '../data/group-load.ts';
import { navigate } from '../data/router.ts';
import { useStore } from '../data/store.ts';
import { palette } from './keys.tsx';
import { hrefOf, SALES, SERVICE, visible } from './nav.tsx';

interface Target {
  name: string;
  note: string;
  href: string;
}

const RESULTS_SHOWN = 8;

/** Whether a name contains the typed letters in their order. */
export function matches(name: string, typed: string): boolean {
  const text = name.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Choice() {
  const { group } = useGroupState();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const screens: Target[] = visible([...SALES, ...SERVICE]).map(({ name, path }) => ({
    name,
    note: 'Screen',
    href: path,
  }));
  const restaurants: Target[] = (group?.restaurants ?? []).map(({ guid, name, locationName }) => ({
    name,
    note: locationName ?? 'Restaurant',
    href: `/restaurants/${guid}`,
  }));
  const found = [...screens, ...restaurants]
    .filter(({ name, note }) => matches(`${name} ${note}`, typed))
    .slice(0, RESULTS_SHOWN);
  const go = (target: Target | undefined): void => {
    if (!target) return;
    dialog.current?.close();
    navigate(hrefOf(target.href));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter') go(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to a restaurant or screen" onClose={() => palette.set(false)}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Restaurant or screen"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `palette-${at}` : undefined}
        placeholder="Restaurant or screen"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {found.map((target, index) => (
          <div
            key={target.href}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => go(target)}
            onKeyDown={onKeyDown}
          >
            {target.name} <small class="faint">{target.note}</small>
          </div>
        ))}
      </div>
    </dialog>
  );
}

export function Palette() {
  return useStore(palette) ? <Choice /> : null;
}
