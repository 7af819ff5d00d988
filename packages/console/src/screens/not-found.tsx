/** Shown for an address without a screen. */
import { Screen } from '../features/screen.tsx';

export function NotFound() {
  return (
    <Screen title="There is no such screen">
      <p>
        The address may be mistyped, or of another version. <a href="/">Go to the overview</a>.
      </p>
    </Screen>
  );
}
