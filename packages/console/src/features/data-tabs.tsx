/** The two sides of the screen Data: what is loaded, and the points of sale that are read. */
import { usePlace } from '../data/router.ts';

const TABS = { '/data': 'Business dates', '/data/connections': 'Connections' };

export function DataTabs() {
  const { path } = usePlace();
  return (
    <nav class="tab-list" aria-label="Data">
      {Object.entries(TABS).map(([href, name]) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
