/** Reads a stream of server-sent events as a browser's EventSource does (WHATWG HTML 9.2.6). */

export interface Event {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads what came over the wire, of whatever shape
  data: any;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<Event | undefined>;
  /** All that are left. */
  rest(): Promise<Event[]>;
  /** Goes away. */
  close(): void;
}

/** Opens the stream at the address. */
export async function openStream(url: string, token: string, lastEventId?: string): Promise<EventStream> {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
  const response = await fetch(url, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';

  async function next(): Promise<Event | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field('data');
        if (data !== undefined) return { id: field('id') ?? '', event: field('event') ?? '', data: JSON.parse(data) };
        continue;
      }
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return undefined;
      text += value;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const events: Event[] = [];
      for (let event = await next(); event; event = await next()) events.push(event);
      return events;
    },
    close: () => abort.abort(),
  };
}
