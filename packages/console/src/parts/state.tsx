/** What a card shows while there is nothing else to show. */
import { DaypartError, DeadlineError, NotFoundError, PermissionError, RateLimitError } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { daypart, limitedUntil } from '../data/client.ts';
import type { Load } from '../data/load.ts';
import type { Waiting } from '../data/question.ts';
import { SignInError } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { copyText } from './copy.ts';

/** A grey shape of the final size, after 150 ms. */
export const Shape = ({ height }: { height: number }) => (
  <svg class="shape" width="100%" height={height} role="img" aria-label="Loading" />
);

/** Seconds until calls are allowed again; 0 where they are. */
export function useLimit(): number {
  const until = useStore(limitedUntil);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const count = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    if (until <= Date.now()) return;
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function WaitingState({ waiting: { guid, progress } }: { waiting: Waiting }) {
  const percent = progress === null ? undefined : Math.round(progress * 100);
  return (
    <div class="state" role="status">
      <b>{percent === undefined ? 'Gathering' : `Gathering, ${percent} %`}</b>
      <progress max={100} {...(percent === undefined ? {} : { value: percent })} aria-label="Progress of the report" />
      <button
        type="button"
        class="button small"
        onClick={() => void daypart.reports.delete(guid).catch(() => undefined)}
      >
        Cancel
      </button>
    </div>
  );
}

/** An error in words, with what to do about it. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const known = error instanceof DaypartError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const next = known && nextOf(known);
  const details = [known?.code, known?.requestId].filter((one) => one !== undefined);
  return (
    <div class="state" role="alert">
      <b>{message}</b>
      {next && <span>{next}</span>}
      <div class="row">
        {retry && (
          <button type="button" class="button small" onClick={retry}>
            Try again
          </button>
        )}
        {details.length > 0 && (
          <button type="button" class="button small quiet" onClick={() => void copyText(details.join(' '))}>
            Copy details
          </button>
        )}
      </div>
      {details.length > 0 && <span class="details mono">{details.join(' · ')}</span>}
    </div>
  );
}

/** What to do about an error; what the client says of reports does not fit other calls. */
function nextOf(error: DaypartError): string | undefined {
  if (error instanceof PermissionError) return scopeOf(error);
  if (error.code === 'route_not_found') return 'This version of the service does not have it.';
  return error instanceof NotFoundError && !error.guid ? undefined : error.next;
}

const scopeOf = ({ message }: PermissionError): string =>
  /[a-z-]+:[a-z]+/.test(message)
    ? 'Sign in with a client that has this scope.'
    : 'Sign in with a client that may do this.';

/** The content of a card once it is loaded; before that, what it waits for, in the height that it will have. */
export function Loaded<T>({
  load,
  height = 160,
  children,
}: {
  load: Load<T>;
  height?: number;
  children: (data: T) => ComponentChildren;
}) {
  const limited = useLimit();
  const { data, stale, error, waiting, retry } = load;
  if (error !== undefined && !(error instanceof SignInError) && !isCancelled(error))
    return <ErrorState error={error} retry={retry} />;
  if (data === undefined) {
    if (limited > 0)
      return (
        <div class="state" role="status">
          <b>The limit of calls is used up.</b> Continues in {limited} s.
        </div>
      );
    return waiting ? <WaitingState waiting={waiting} /> : <Shape height={height} />;
  }
  return (
    <div class={stale ? 'fades stale' : 'fades'} aria-busy={stale}>
      {children(data)}
    </div>
  );
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Whether waiting longer may help. */
export const isPassing = (error: unknown): boolean => error instanceof RateLimitError || error instanceof DeadlineError;
