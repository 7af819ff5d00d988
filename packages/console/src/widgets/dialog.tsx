/** A dialog that opens when it is drawn, with a button that closes it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Dialog({
  title,
  children,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
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
