/** Sign in with a client of the service; afterwards the requested screen opens. */
import { useEffect } from 'preact/hooks';
import { navigate, safeNext, usePlace } from '../data/router.ts';
import { SignInForm } from '../features/sign-in-form.tsx';
import { Gate } from './gate.tsx';

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
