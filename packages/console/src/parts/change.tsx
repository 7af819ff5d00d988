/** How a figure moved: an arrow and a size, in colour where that is outside the usual. */
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
