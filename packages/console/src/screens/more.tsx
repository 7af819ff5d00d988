/** The screens that have no tab on phones. */

import { hrefOf, SALES, SERVICE, visible } from '../features/nav.tsx';
import { Screen } from '../features/screen.tsx';
import { Icon } from '../widgets/icon.tsx';

const TAB_PATHS = ['/', '/restaurants', '/labour', '/reports'];

export function More() {
  const items = visible([...SALES, ...SERVICE]).filter(({ path }) => !TAB_PATHS.includes(path));
  return (
    <Screen title="More">
      <ul class="card more">
        {items.map(({ path, name, icon }) => (
          <li key={path}>
            <a href={hrefOf(path)}>
              <Icon name={icon} /> {name}
            </a>
          </li>
        ))}
        <li>
          <a href="/docs">
            <Icon name="docs" /> Docs
          </a>
        </li>
        <li>
          <button type="button" class="link" data-account>
            <Icon name="labour" /> Account and sign out
          </button>
        </li>
      </ul>
    </Screen>
  );
}
