/** How a figure changed: an arrow and a size, coloured if the change is unusual. */
import type { Change } from '../model/change.ts';
import { Arrow } from './icon.tsx';

export function ChangeMark({ change, note }: { change: Change | undefined; note?: string | undefined }) {
  if (!change) return <span class="change">{note ?? '–'}</span>;
  const { direction, size, tone } = change;
  const words = { up: 'up ', down: 'down ', same: 'the same, ' };
  return (
    <span class={`change ${tone}`}>
      {direction !== 'same' && <Arrow up={direction === 'up'} />}
      <span class="hidden">{words[direction]}</span>
      {size}
    </span>
  );
}

/** Takes the space of a change that is not known yet. */
export const PendingChange = () => (
  <span class="change pending" aria-hidden="true">
    <Arrow up />
    00.0 %
  </span>
);
