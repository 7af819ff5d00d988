/** Export of the screen: files of its reports, a printout, or its address. */
import { useRef, useState } from 'preact/hooks';
import { BASE } from '../data/client.ts';
import { fetchRoot } from '../data/root.ts';
import { copyText } from '../widgets/copy.ts';
import { Icon } from '../widgets/icon.tsx';

interface Exported {
  name: string;
  /** The report behind the screen; undefined until it is known. */
  guid: string | undefined;
  /** The path of the report's family. */
  path?: string;
}

const FORMATS = [
  { label: 'CSV', format: 'csv' },
  { label: 'CSV for Excel', format: 'csv', bom: true },
  { label: 'JSON', format: 'json' },
  { label: 'Parquet', format: 'parquet' },
] as const;

/** Gets an address that can be used once and needs no token: the browser then saves the file to disk itself. */
export async function downloadPath(guid: string, path: string, format: string, bom = false): Promise<string> {
  const answer = await fetchRoot('/session/downloads', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guid, kind: path.slice(1), format, ...(bom ? { bom } : {}) }),
  });
  if (!answer.ok) throw new Error(Object(await answer.json().catch(() => ({}))).message ?? 'The download was refused.');
  return ((await answer.json()) as { path: string }).path;
}

/** Saves a file of a report. */
export async function download(guid: string, path: string, format: string, bom = false): Promise<void> {
  const link = document.createElement('a');
  link.href = await downloadPath(guid, path, format, bom);
  link.download = '';
  link.click();
}

export function ExportButton({ name, guid, path = '/metrics' }: Exported) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState('');
  const copy = async (text: string): Promise<void> =>
    setMessage((await copyText(text)) ? 'Copied' : 'The browser does not allow copying here');
  return (
    <>
      <button
        type="button"
        class="button export"
        aria-label="Export"
        data-key="e"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="export" /> <span class="label">Export</span>
      </button>
      <dialog ref={dialog} aria-labelledby="export-head" onClose={() => setMessage('')}>
        <h2 id="export-head">Export</h2>
        <div class="stack">
          {guid && (
            <div class="stack">
              <p>{name}</p>
              <div class="row">
                {FORMATS.map((one) => (
                  <button
                    key={one.label}
                    type="button"
                    class="button small"
                    onClick={() =>
                      void download(guid, path, one.format, 'bom' in one).catch((error) => setMessage(error.message))
                    }
                  >
                    {one.label}
                  </button>
                ))}
                <button
                  type="button"
                  class="button small quiet"
                  onClick={() =>
                    void copy(
                      `curl -H "Authorization: Bearer $TOKEN" "${location.origin}${BASE}${path}/${guid}?format=csv"`,
                    )
                  }
                >
                  Copy as curl
                </button>
              </div>
            </div>
          )}
          <div class="row">
            <button
              type="button"
              class="button small"
              onClick={() => {
                dialog.current?.close();
                print();
              }}
            >
              Print
            </button>
            <button type="button" class="button small" onClick={() => void copy(location.href)}>
              Copy address
            </button>
          </div>
          <p class="note" role="status">
            {message}
          </p>
          <form method="dialog" class="row">
            <button type="submit" class="button">
              Close
            </button>
          </form>
        </div>
      </dialog>
    </>
  );
}
