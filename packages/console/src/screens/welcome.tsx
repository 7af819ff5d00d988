/** The one-time link. Its key is in the fragment, which is not sent to servers or previews of links. */
import { useEffect, useState } from 'preact/hooks';
import { ROOT } from '../data/root.ts';
import { place } from '../data/router.ts';
import { signIn } from '../data/session.ts';
import { Gate } from './gate.tsx';

/** Removes the key from the address at once, so that it is neither in the history nor visible. */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('k');
  history.replaceState(null, '', location.pathname);
  place.set({ ...place.get(), hash: '' });
  return key;
}

export function Welcome() {
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const key = takeKey();
    if (!key) {
      setFailure('The link has no key.');
      return;
    }
    // Loads a new document, because the performance entry of this one contains the address with the key.
    signIn({ key })
      .then(() => location.replace(`${ROOT}/`))
      .catch((error) => setFailure(error instanceof Error ? error.message : String(error)));
  }, []);
  if (failure === undefined)
    return (
      <Gate title="Signing in">
        <p class="muted" role="status">
          One moment.
        </p>
      </Gate>
    );
  return (
    <Gate title="This link does not work">
      <div class="stack">
        <p role="alert">{failure}</p>
        <p class="muted">
          A link can be used once, within 15 minutes. <code>daypart console-link</code> prints another; the demo prints
          one when you press Enter.
        </p>
        <p>
          <a href="/sign-in">Sign in with a client id and a secret</a>
        </p>
      </div>
    </Gate>
  );
}
