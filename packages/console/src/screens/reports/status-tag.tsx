/** The state of a report request in a word. */
const TONES: Record<string, string> = { COMPLETED: 'good', FAILED: 'bad', IN_PROGRESS: 'warn' };

export const StatusTag = ({ status }: { status: string }) => (
  <span class={`tag ${TONES[status] ?? ''}`}>
    {status.charAt(0) + status.slice(1).toLowerCase().replaceAll('_', ' ')}
  </span>
);
