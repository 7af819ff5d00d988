/** Connections to points of sale, through the resource of the client. */
import { type ConnectionInfo, connectionsOf, DaypartError } from '@daypart/client';
import { useEffect, useRef } from 'preact/hooks';
import { daypart } from './client.ts';
import { useGroup } from './group.ts';
import { type Load, useCurrent } from './load.ts';

export const connections = connectionsOf(daypart);

/** What is not an event, such as the time of the last read, is read again this often. */
const AGAIN_MS = 10_000;

/** All connections of the group, read again when the group has changed, and at times; nothing unless `wanted`. */
export function useConnections(wanted: boolean): Load<ConnectionInfo[]> {
  const { watermark } = useGroup();
  const load = useCurrent(wanted ? 'connections' : undefined, ({ signal }) => connections.list({ signal }));
  const { retry, error } = load;
  const shown = useRef(watermark);
  useEffect(() => {
    if (shown.current === watermark) return;
    shown.current = watermark;
    retry();
  }, [watermark]);
  useEffect(() => {
    // What failed counts down to its next attempt by itself.
    if (!wanted || error !== undefined) return;
    const timer = setInterval(() => document.hidden || retry(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [retry, error, wanted]);
  return load;
}

/** Whether the service has no connections: they are disabled. */
export const isDisabled = (error: unknown): boolean =>
  error instanceof DaypartError && error.code === 'route_not_found';
