/** The frame of a screen: its heading with the tools, its content, and the source of its figures at the bottom. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ROOT } from '../data/root.ts';
import { openedScreens } from '../data/router.ts';
import { useStore } from '../data/store.ts';
import { formatInstant } from '../model/dates.ts';
import { shortGuid } from '../widgets/card.tsx';
import { hrefOf } from './nav.tsx';

interface ScreenProps {
  title: string;
  crumb?: { name: string; href: string } | undefined;
  sub?: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/** The heading of a newly opened screen takes the focus, so that screen readers begin there. */
export function Screen({ title, crumb, sub, tools, children }: ScreenProps) {
  const head = useRef<HTMLHeadingElement>(null);
  const opened = useStore(openedScreens);
  useEffect(() => {
    if (opened > 0) head.current?.focus({ preventScroll: true });
  }, [opened]);
  // With the heading, not after it was painted: between the two, the title would be another screen's.
  useLayoutEffect(() => {
    document.title = `${title} · Daypart`;
  }, [title]);
  return (
    <div class="screen">
      <header class="screen-head">
        <div>
          {crumb && (
            <p class="crumb">
              <a href={hrefOf(crumb.href)}>{crumb.name}</a> /
            </p>
          )}
          <h1 ref={head} tabIndex={-1}>
            {title}
          </h1>
          {sub && <div class="sub">{sub}</div>}
        </div>
        {tools && <div class="tools">{tools}</div>}
      </header>
      {children}
    </div>
  );
}

/** Notices about parameters in the address that were not understood. */
export function Notices({ notices }: { notices: string[] }) {
  return (
    <>
      {notices.map((notice) => (
        <p class="notice" key={notice} role="status">
          {notice}
        </p>
      ))}
    </>
  );
}

/** What the figures above compare, and with what. */
export const Notes = ({ notes }: { notes: (string | undefined)[] }) => (
  <>{notes.map((note) => note && <p class="note">{note}</p>)}</>
);

/** The source of the figures, and their definition. */
interface FootProps {
  guid: string | undefined;
  asOf: string | null | undefined;
  note?: string;
  /** The report of the comparison, if it is a separate one. */
  before?: string | undefined;
  /** The section of docs/metrics.md that defines the figures. */
  about?: 'sales-metrics' | 'labor' | 'menu' | 'check-records';
}

export function Foot({ guid, asOf, note, before, about = 'sales-metrics' }: FootProps) {
  // Below content that is still loading, it would move.
  if (!guid) return null;
  return (
    <footer class="screen-foot">
      {asOf && <span>As of {formatInstant(asOf)}</span>}
      {note && <span>{note}</span>}
      <ReportLink guid={guid} name="Report" />
      {before && before !== guid && <ReportLink guid={before} name="Compared with report" />}
      <a href={`/docs/metrics#${about}`}>What the numbers mean</a>
    </footer>
  );
}

/** A link to a report, which is spelled out on paper. */
function ReportLink({ guid, name }: { guid: string; name: string }) {
  const path = `/reports/${guid}`;
  return (
    <a href={path} data-print={`${name} ${location.origin}${ROOT}${path}`}>
      {name} {shortGuid(guid)}
    </a>
  );
}

/** Shown instead of a screen for which the person has no scope. */
export const NeedsScope = ({ scope }: { scope: string }) => (
  <div class="card state">
    <b>You are not allowed to see this.</b>
    <span>
      It needs the scope <span class="mono">{scope}</span>. Sign in with a client that has it.
    </span>
    <button type="button" class="button small" data-account>
      Account and sign out
    </button>
  </div>
);
