/** Shown while the code of a screen is loaded, or if it cannot be. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { online } from '../data/client.ts';
import { loadGroup } from '../data/group-load.ts';
import { Screen } from '../features/screen.tsx';
import { ErrorState, Shape } from '../features/state.tsx';
import type { ScreenPart } from '../screens.ts';

export const Loading = () => (
  <>
    <h1 class="hidden">Loading</h1>
    <Shape height={480} />
  </>
);

const FAILED = new Error(
  'This screen could not be loaded. Check that the service runs and that this device is online.',
);

interface UnloadedProps {
  /** The name of the screen, such as `new-report`. */
  name: string;
  load: () => Promise<ScreenPart>;
  onLoad: (part: ScreenPart) => void;
}

/** Loads the code of a screen, again when the service can be reached again or the person asks for it. */
export function Unloaded({ name, load, onLoad }: UnloadedProps) {
  const [failures, setFailures] = useState(0);
  const shown = useRef(true);
  const begin = async (): Promise<void> => {
    try {
      onLoad(await load());
    } catch {
      // The browser does not say why it failed. This call says whether the service can be reached.
      await loadGroup();
      if (!shown.current) return;
      // A new version of the service has files of other names, and a browser may not request a file again that has
      // failed.
      if (failures > 0 && online.get()) location.reload();
      else setFailures(failures + 1);
    }
  };
  useEffect(() => {
    void begin();
    return () => {
      shown.current = false;
    };
  }, []);
  useEffect(() => {
    if (failures > 0) return online.subscribe(() => online.get() && void begin());
  }, [failures]);
  if (failures === 0) return <Loading />;
  const title = (name.charAt(0).toUpperCase() + name.slice(1)).replace('-', ' ');
  return (
    <Screen title={title}>
      <div class="card">
        <ErrorState error={FAILED} retry={() => void begin()} />
      </div>
    </Screen>
  );
}
