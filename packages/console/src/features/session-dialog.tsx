/** The session has expired: after signing in again, the screen continues in the same state. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Identity, session } from '../data/session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SessionDialog({ who }: { who: Identity }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="session-head"
      onCancel={(event) => event.preventDefault()}
      class="sign-in-again"
    >
      <h2 id="session-head">Your session has ended</h2>
      <p class="muted">Sign in again: the page continues where it is.</p>
      <SignInForm clientId={who.clientId} onDone={() => dialog.current?.close()} />
      <p class="note">
        <a class="button small quiet" href="/sign-in" onClick={() => session.set({ state: 'signed-out' })}>
          Leave this page
        </a>
      </p>
    </dialog>
  );
}
