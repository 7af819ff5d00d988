/** Client id and secret, also in a dialog. Pasting and password managers work as in any form. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Identity, SignInError, session, signIn } from '../data/session.ts';
import { useCountdown } from './state.tsx';

interface FormProps {
  /** The client that was signed in before. */
  clientId?: string;
  onDone: () => void;
}

export function SignInForm({ clientId = '', onDone }: FormProps) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [until, setUntil] = useState(0);
  const left = useCountdown(until);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn({
        clientId: String(form.get('username')).trim(),
        clientSecret: String(form.get('password')).trim(),
      });
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      if (error instanceof SignInError && error.retryAfter) setUntil(Date.now() + error.retryAfter * 1000);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>Client id</span>
        <input
          name="username"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          defaultValue={clientId}
        />
      </label>
      <label class="field">
        <span>Client secret</span>
        <input
          name="password"
          type="password"
          autocomplete="current-password"
          required
          aria-describedby={failure && 'sign-in-failure'}
        />
      </label>
      {failure && (
        <p class="wrong" role="alert" id="sign-in-failure">
          {failure}
        </p>
      )}
      <button type="submit" class="button primary" disabled={busy || left > 0}>
        {left > 0 ? `Sign in again in ${left} s` : 'Sign in'}
      </button>
    </form>
  );
}

/** The session has expired: after signing in again, the screen continues in the same state. */
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
