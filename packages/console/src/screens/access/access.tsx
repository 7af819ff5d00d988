/** Who may do what: clients of the group, the webhook, and what is left of the limits. */
import type { ComponentType } from 'preact';
import { usePlace } from '../../data/router.ts';
import { may } from '../../data/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { Clients } from './clients.tsx';
import { Limits } from './limits.tsx';
import { WebhookCard } from './webhook-card.tsx';

const TABS: readonly { tab: string; name: string; part: ComponentType }[] = [
  { tab: 'clients', name: 'Clients', part: Clients },
  { tab: 'webhook', name: 'Webhook', part: WebhookCard },
  { tab: 'limits', name: 'Limits', part: Limits },
];

export function Access({ tab }: { guid: string; tab: string }) {
  const { path } = usePlace();
  const found = TABS.find((one) => one.tab === (tab || 'clients')) ?? TABS[0];
  const Part = found?.part ?? Clients;
  return (
    <Screen title="Access">
      <nav class="tab-list" aria-label="Access">
        {TABS.map((one) => (
          <a
            key={one.tab}
            href={`/access/${one.tab}`}
            aria-current={one === found || path === `/access/${one.tab}` ? 'page' : undefined}
          >
            {one.name}
          </a>
        ))}
      </nav>
      {may('access:admin') ? (
        <Part />
      ) : (
        <p class="card">This screen needs the scope access:admin. Sign in with a client that has it.</p>
      )}
    </Screen>
  );
}
