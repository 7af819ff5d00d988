/** Access: clients, sessions and keys, the webhook, the remaining quota of rate limits, and the audit log. */
import type { ComponentType } from 'preact';
import { may } from '../../data/session.ts';
import { NeedsScope, Screen } from '../../features/screen.tsx';
import { Audit } from './audit.tsx';
import { Clients } from './clients.tsx';
import { Keys } from './keys.tsx';
import { Limits } from './limits.tsx';
import { Sessions } from './sessions.tsx';
import { WebhookScreen } from './webhook.tsx';

const TABS: readonly { tab: string; name: string; part: ComponentType }[] = [
  { tab: 'clients', name: 'Clients', part: Clients },
  { tab: 'sessions', name: 'Sessions', part: Sessions },
  { tab: 'keys', name: 'Keys', part: Keys },
  { tab: 'webhook', name: 'Webhook', part: WebhookScreen },
  { tab: 'limits', name: 'Limits', part: Limits },
  { tab: 'audit', name: 'Audit', part: Audit },
];

/** On phones there is no room for all tabs: the shown one is scrolled into the list. */
const intoView = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function Access({ tab }: { guid: string; tab: string }) {
  const shown = tab || 'clients';
  const Part = TABS.find((one) => one.tab === shown)?.part ?? Clients;
  return (
    <Screen title="Access">
      <nav class="tab-list" aria-label="Access">
        {TABS.map((one) => (
          <a
            key={one.tab}
            href={`/access/${one.tab}`}
            aria-current={one.tab === shown ? 'page' : undefined}
            ref={one.tab === shown ? intoView : null}
          >
            {one.name}
          </a>
        ))}
      </nav>
      {may('access:admin') ? <Part /> : <NeedsScope scope="access:admin" />}
    </Screen>
  );
}
