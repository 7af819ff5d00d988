/** The pages before signing in: with a client of the service, or by a one-time link. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ROOT } from '../data/root.ts';
import { navigate, place, safeNext, usePlace } from '../data/router.ts';
import { signIn } from '../data/session.ts';
import { SignInForm } from '../features/sign-in-form.tsx';

/** The card of these pages. */
function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  // With the heading, not after it was painted: between the two, the title would be another screen's.
  useLayoutEffect(() => {
    document.title = `${title} · Daypart`;
  }, [title]);
  return (
    <main class="gate">
      <div class="card">
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M6 21h20M8 21a8 8 0 0 1 16 0M16 13v-2.5M9 24.5h14" />
        </svg>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Sign in with a client of the service; afterwards the requested screen opens. */
export function SignIn({ signedIn }: { signedIn: boolean }) {
  const { search } = usePlace();
  const next = safeNext(new URLSearchParams(search).get('next'));
  useEffect(() => {
    if (signedIn) navigate(next, { replace: true });
  }, [signedIn, next]);
  return (
    <Gate title="Sign in to Daypart">
      <SignInForm onDone={() => navigate(next, { replace: true })} />
      <p class="note">
        Or open a one-time link: <code>daypart console-link</code> prints one.
      </p>
    </Gate>
  );
}

/** Removes the key from the address at once, so that it is neither in the history nor visible. */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('k');
  history.replaceState(null, '', location.pathname);
  place.set({ ...place.get(), hash: '' });
  return key;
}

/** The one-time link. Its key is in the fragment, which is not sent to servers or previews of links. */
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
