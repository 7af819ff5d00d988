/** The console: who is signed in, which screen is shown, and the notices above every screen. */
import { useEffect, useState } from 'preact/hooks';
import { online } from './data/client.ts';
import { GroupContext } from './data/group.ts';
import { forgetGroup, loadGroup, useGroupState } from './data/group-load.ts';
import { startLive } from './data/live.ts';
import { forgetLoads } from './data/load.ts';
import { navigate, place, usePlace } from './data/router.ts';
import { type Identity, mayBeSignedIn, session, token } from './data/session.ts';
import { useStore } from './data/store.ts';
import { AccountDialog } from './features/account.tsx';
import { KeyHelp, useKeys } from './features/keys.tsx';
import { Nav, Tabs } from './features/nav.tsx';
import { Palette } from './features/palette.tsx';
import { SessionDialog } from './features/sign-in-form.tsx';
import { ErrorState, useLimit } from './features/state.tsx';
import { formatInstant } from './model/dates.ts';
import { SignIn, Welcome } from './screens/sign-in.tsx';
import { Loading, Unloaded } from './screens/unloaded.tsx';
import { findScreen, type ScreenPart } from './screens.ts';

export function App() {
  const { path } = usePlace();
  const now = useStore(session);
  const gate = path === '/welcome' || path === '/sign-in';
  const [failed, setFailed] = useState<unknown>();
  const begin = (): void => {
    setFailed(undefined);
    // The browser says no more than "Failed to fetch".
    token().catch((error) =>
      setFailed(error instanceof TypeError ? new Error('The service cannot be reached.') : error),
    );
  };
  useEffect(() => {
    // Where one signs in, nothing is asked that is refused to everybody who comes for the first time.
    if (!gate || (path === '/sign-in' && mayBeSignedIn())) begin();
  }, [path]);
  useEffect(() => {
    if (now.state !== 'signed-out' || gate) return;
    const { search } = place.get();
    const next = path === '/' && search === '' ? '' : `?next=${encodeURIComponent(path + search)}`;
    navigate(`/sign-in${next}`, { replace: true });
  }, [now, gate, path]);
  if (path === '/welcome') return <Welcome />;
  if (path === '/sign-in') return <SignIn signedIn={now.state === 'signed-in'} />;
  if (now.state === 'unknown' && failed !== undefined)
    return (
      <main class="main">
        <h1>Daypart</h1>
        <ErrorState error={failed} retry={begin} />
      </main>
    );
  if (now.state === 'unknown') return <div class="frame" aria-busy="true" />;
  if (now.state === 'signed-out') return null;
  return <Console who={now.who} ended={now.state === 'ended'} />;
}

function Console({ who, ended }: { who: Identity; ended: boolean }) {
  const [account, setAccount] = useState(false);
  const { path } = usePlace();
  useKeys();
  useEffect(() => {
    // The figures of one person must not be shown to another.
    forgetLoads();
    forgetGroup();
  }, [who.clientId, who.group]);
  const [updatedAt, setUpdatedAt] = useState('');
  useEffect(() => {
    if (ended) return;
    void loadGroup();
    return startLive(async () => {
      await loadGroup();
      setUpdatedAt(formatInstant(new Date().toISOString()));
    });
  }, [ended, who.clientId, who.group]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="frame">
        <Nav who={who} onWho={() => setAccount(true)} />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button that is clicked has its own keys */}
        <main
          class="main"
          id="content"
          tabIndex={-1}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('[data-account]')) setAccount(true);
          }}
        >
          <Current path={path} />
        </main>
        <Tabs />
      </div>
      <Connection />
      <span class="hidden" aria-live="polite">
        {updatedAt && `Updated ${updatedAt}`}
      </span>
      <Palette />
      <KeyHelp />
      {account && <AccountDialog who={who} onClose={() => setAccount(false)} />}
      {ended && <SessionDialog who={who} />}
    </>
  );
}

/** The screen of the path, as soon as its code is loaded and, for screens with figures, the group. */
function Current({ path }: { path: string }) {
  const { name, load, guid, tab, part } = findScreen(path);
  const { group, error } = useGroupState();
  const [parts, setParts] = useState<Record<string, ScreenPart>>({});
  const Shown = part ?? parts[name];
  if (group === undefined && error !== undefined)
    return (
      <div class="card">
        <ErrorState error={error} retry={() => void loadGroup()} />
      </div>
    );
  if (!Shown && load) {
    const onLoad = (made: ScreenPart): void => setParts((before) => ({ ...before, [name]: made }));
    return <Unloaded key={name} name={name} load={load} onLoad={onLoad} />;
  }
  if (group === undefined || !Shown) return <Loading />;
  return (
    <GroupContext.Provider value={group}>
      <Shown key={`${name} ${guid}`} guid={guid} tab={tab} />
    </GroupContext.Provider>
  );
}

/** Notice that the service cannot be reached, or refuses calls for a while (429). */
function Connection() {
  const reached = useStore(online);
  const limited = useLimit();
  useEffect(() => {
    const again = (): void => void loadGroup();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  if (!reached)
    return (
      <p class="notice warn bar-notice" role="status">
        The service cannot be reached. The figures are those of the last answer.
        <button type="button" class="button small" onClick={() => void loadGroup()}>
          Try again
        </button>
      </p>
    );
  if (limited > 1)
    return (
      <p class="notice warn bar-notice" role="status">
        The limit of calls is used up. Continues in {limited} s.
      </p>
    );
  return null;
}
