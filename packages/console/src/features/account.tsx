/** The account dialog: who is signed in, their permissions, and the settings of this browser. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { navigate } from '../data/router.ts';
import { type Identity, signOut } from '../data/session.ts';
import { SingleKeys } from './keys.tsx';

export function AccountDialog({ who, onClose }: { who: Identity; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const leave = async (): Promise<void> => {
    await signOut();
    onClose();
    navigate('/sign-in', { replace: true });
  };
  return (
    <dialog ref={dialog} aria-labelledby="account-head" onClose={onClose}>
      <h2 id="account-head">{who.clientId}</h2>
      <div class="stack">
        <p class="muted">Management group {who.group}</p>
        <ul class="row">
          {who.scopes.map((scope) => (
            <li key={scope} class="tag mono">
              {scope}
            </li>
          ))}
        </ul>
        <SingleKeys />
        <div class="row">
          <button type="button" class="button" onClick={() => void leave()}>
            Sign out
          </button>
          <button type="button" class="button quiet" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </div>
    </dialog>
  );
}
