/** The card of the pages that are shown before signing in. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
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
