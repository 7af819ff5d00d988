/** What a first visit needs: how to read the figures, and what to do while there are none. */
import { useEffect, useState } from 'preact/hooks';
import { useGroup } from '../data/group.ts';
import { Screen } from './screen.tsx';

const SETTING = 'daypart-visits';
/** After so many visits the line is no longer shown. */
const FIRST_VISITS = 3;
const visits = (): number => Number(localStorage.getItem(SETTING));

/** How to read the page, in a line, on the first visits of this browser and until it is dismissed. */
export function HowToRead() {
  const [shown, setShown] = useState(() => visits() < FIRST_VISITS);
  useEffect(() => localStorage.setItem(SETTING, String(visits() + 1)), []);
  if (!shown) return null;
  const dismiss = (): void => {
    localStorage.setItem(SETTING, String(FIRST_VISITS));
    setShown(false);
  };
  return (
    <p class="note first-look">
      Changes are against the dates after <i>vs</i>; colour means outside the usual. Click the name of a figure for what
      it means, a bar or a name to see only that. <a href="/docs/console#how-to-read-it">How to read it</a>{' '}
      <button type="button" class="button small" onClick={dismiss}>
        Got it
      </button>
    </p>
  );
}

/** Whether any restaurant has data. */
export const useLoaded = (): boolean =>
  useGroup().restaurants.some(({ lastBusinessDate }) => lastBusinessDate !== null);

/** A screen of figures before the first load. */
export const NothingLoaded = ({ title }: { title: string }) => (
  <Screen title={title}>
    <p class="card state">
      <b>Nothing is loaded yet.</b>
      <a href="/">Three steps to the first figures</a>
    </p>
  </Screen>
);
