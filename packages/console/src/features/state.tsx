/** The content of a card before its data are loaded. */
import {
  ConnectionError,
  DaypartError,
  DeadlineError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ReportFailedError,
  ServerError,
} from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { limitedUntil } from '../data/client.ts';
import type { Load } from '../data/load.ts';
import { cancelReport, type WaitingReport } from '../data/question.ts';
import { SignInError } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { dimClass, Still } from '../widgets/card.tsx';
import { copyText } from '../widgets/copy.ts';

/** The height of the loaded content in pixels; `phone` if it differs on phones. */
interface Sized {
  height?: number | undefined;
  phone?: number | undefined;
}

const sizeOf = ({ height = 160, phone = height }: Sized) => ({ '--height': `${height}px`, '--phone': `${phone}px` });

/** A grey placeholder of the final size, shown after 150 ms. */
export const Shape = (sized: Sized) => (
  <svg class="shape" width="100%" style={sizeOf(sized)} role="img" aria-label="Loading" />
);

/** Seconds until an instant in milliseconds of Date.now(); 0 if it has passed. */
export function useCountdown(until: number): number {
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

/** Seconds until calls are allowed again; 0 if they are allowed. */
export const useLimit = (): number => useCountdown(useStore(limitedUntil));

/** The progress of a report: from 0 to 1, or null if it is not known. */
export function Gathering({ progress, children }: { progress: number | null; children?: ComponentChildren }) {
  const percent = progress === null ? undefined : Math.round(progress * 100);
  return (
    <div class="state" role="status">
      <b>{percent === undefined ? 'Gathering' : `Gathering, ${percent} %`}</b>
      <progress max={100} {...(percent === undefined ? {} : { value: percent })} aria-label="Progress of the report" />
      {children}
    </div>
  );
}

/** As high as the placeholder before it. */
const WaitingState = ({ waiting: { guid, progress }, ...sized }: { waiting: WaitingReport } & Sized) => (
  <div class="sized" style={sizeOf(sized)}>
    <Gathering progress={progress}>
      <button type="button" class="button small" onClick={() => void cancelReport(guid).catch(() => undefined)}>
        Cancel
      </button>
    </Gathering>
  </div>
);

/** A failed call that may succeed later is repeated after this many milliseconds, plus up to half as many at random. */
const AGAIN_MS = 10_000;

/** Milliseconds from now until a temporary error is worth another attempt; undefined if waiting does not help. */
function againAfter(error: unknown): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs ?? AGAIN_MS;
  const passes = error instanceof ServerError || error instanceof ConnectionError || error instanceof DeadlineError;
  return passes ? AGAIN_MS * (1 + Math.random() / 2) : undefined;
}

/**
 * Calls `retry` when waiting may have helped. Returns the seconds until then; undefined if it is not going to be
 * called.
 */
function useAgain(error: unknown, retry: (() => void) | undefined): number | undefined {
  const [until] = useState(() => Date.now() + (againAfter(error) ?? Number.POSITIVE_INFINITY));
  const [left, setLeft] = useState(until - Date.now());
  useEffect(() => {
    if (!retry || !Number.isFinite(until)) return;
    const timer = setInterval(() => {
      setLeft(until - Date.now());
      if (Date.now() < until || document.hidden) return;
      clearInterval(timer);
      retry();
    }, 500);
    return () => clearInterval(timer);
  }, [until, retry]);
  return retry && Number.isFinite(left) ? Math.max(0, Math.ceil(left / 1000)) : undefined;
}

interface ErrorProps {
  error: unknown;
  retry?: (() => void) | undefined;
}

/** An error in words, with what to do about it. After a temporary error the call is repeated automatically. */
export function ErrorState({ error, retry }: ErrorProps) {
  // The dialog in which the person signs in again says that the session has expired.
  if (error instanceof SignInError) return null;
  // A different error starts a new countdown.
  return <OneError key={String(error)} error={error} retry={retry} />;
}

function OneError({ error, retry }: ErrorProps) {
  const seconds = useAgain(error, retry);
  const known = error instanceof DaypartError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const next = known && nextOf(known);
  const details = [known?.code, known?.requestId].filter((one) => one !== undefined);
  return (
    <div class="state" role="alert">
      <b>{message}</b>
      {next && <span>{next}</span>}
      {seconds !== undefined && <span class="faint">Tries again in {seconds} s</span>}
      <div class="row">
        {retry && (
          <button type="button" class="button small" onClick={retry}>
            {known instanceof ReportFailedError ? 'Create it again' : 'Try again'}
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

/** What to do about an error, in the words of somebody who reads figures. */
function nextOf(error: DaypartError): string | undefined {
  if (error instanceof PermissionError) return scopeOf(error);
  if (error.code === 'route_not_found') return 'This version of the service does not have it.';
  if (error instanceof NotFoundError)
    return error.guid ? 'It has expired or was discarded. Create it again.' : undefined;
  if (error instanceof ReportFailedError) return 'If it fails again, choose fewer dates or restaurants.';
  if (error instanceof RateLimitError) return 'The limit of calls is used up for now.';
  if (error instanceof ConnectionError) return 'Check that the service runs and that this device is online.';
  if (error instanceof DeadlineError) return 'It is still being gathered.';
  if (error instanceof ServerError) return SERVER_WORDS[error.status ?? 500] ?? SERVER_WORDS[500];
  return error instanceof InvalidRequestError ? 'Choose something else: the same call cannot succeed.' : error.next;
}

const SERVER_WORDS: Record<number, string> = {
  500: 'Something failed in the service. Quote the details below to whoever runs it if it happens again.',
  503: 'The service is busy, or a part of it is starting again. Health says which.',
  504: 'It took too long. If it happens again, choose fewer dates or restaurants.',
  507: 'The disk of the service is full. Free some space.',
};

const scopeOf = ({ message }: PermissionError): string =>
  /[a-z-]+:[a-z]+/.test(message)
    ? 'Sign in with a client that has this scope.'
    : 'Sign in with a client that may do this.';

/** The content of a card after loading; before that, a placeholder with its final height. */
export function Loaded<T>({
  load,
  height,
  phone,
  children,
}: Sized & {
  load: Load<T>;
  children: (data: T) => ComponentChildren;
}) {
  const limited = useLimit();
  const { data, stale, error, waiting, retry } = load;
  const failed = error !== undefined && !(error instanceof SignInError) && !isCancelled(error);
  if (failed && data === undefined) return <ErrorState error={error} retry={retry} />;
  if (data === undefined) {
    if (limited > 0)
      return (
        <div class="state" role="status">
          <b>The limit of calls is used up.</b> Continues in {limited} s.
        </div>
      );
    return waiting ? (
      <WaitingState waiting={waiting} height={height} phone={phone} />
    ) : (
      <Shape height={height} phone={phone} />
    );
  }
  const still = 'dimmed' in load ? load.dimmed : stale ? '' : undefined;
  return (
    <>
      {failed && <ErrorState error={error} retry={retry} />}
      <div class={dimClass('fades', still)} aria-busy={stale && !failed}>
        <Still text={still} />
        {children(data)}
      </div>
    </>
  );
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
