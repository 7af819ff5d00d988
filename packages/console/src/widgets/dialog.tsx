/** A dialog that opens when it is drawn, with a button that closes it, and the facts that it begins with. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Wide enough for a table of eight columns. */
  wide?: boolean;
  children: ComponentChildren;
  onClose: () => void;
}

export function Dialog({ title, wide = false, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={wide ? 'wide' : ''} aria-label={title} onClose={onClose}>
      <form method="dialog" class="stack">
        <h2>{title}</h2>
        {children}
        <div class="row">
          <button type="submit" class="button">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A name and its value; a value that is empty is not shown. */
export type Fact = [name: string, value: string | number | null | false];

/** What a dialog says at its head, in a table of two columns. */
export const Facts = ({ facts }: { facts: Fact[] }) => (
  <table class="plain">
    <tbody>
      {facts.map(
        ([name, value]) =>
          value && (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ),
      )}
    </tbody>
  </table>
);
