/** Server-sent events (a Daypart service has them; the live system does not). */

/** What happens to a report: `queued`, `gathering` with its progress, then `completed`, `failed`, `cancelled` or `expired`. */
export interface ReportEvent {
  event: 'queued' | 'gathering' | 'completed' | 'failed' | 'cancelled' | 'expired' | (string & {});
  reportRequestGuid: string;
  status: string;
  /** From 0 to 1; null where it is not known. */
  progress?: number | null;
  [more: string]: unknown;
}

/** What happens in a management group: `loaded`, `report`, or `reset` where events were missed. */
export type GroupEvent =
  | { event: 'loaded'; restaurantGuid: string; businessDates: string[]; kind: string; at: string }
  | { event: 'report'; reportRequestGuid: string; status: string; at: string }
  | { event: 'reset' };

/** The events of a stream, until it ends; `at` follows their ids. */
export async function* readEvents<T>(
  body: ReadableStream<Uint8Array>,
  at: { id?: string | undefined } = {},
): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
        at.id = field('id') ?? at.id;
        const data = field('data');
        if (data) yield { event: field('event') ?? 'message', ...JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
