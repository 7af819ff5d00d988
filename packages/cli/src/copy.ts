/** Copies a form of the service, byte for byte, to standard output or into a file, resuming where it stopped. */
import { ConnectionError, type Format, InvalidRequestError } from '@daypart/client';
import { attend } from './bounds.ts';
import { CommandError, EXIT } from './command-error.ts';
import { shownBytes } from './progress.ts';
import type { RenewableGuid } from './renew-guid.ts';
import type { DownloadContext } from './report-options.ts';
import { openReport } from './source.ts';
import type { Table } from './tables/table.ts';
import { plainPieces, writeTo } from './terminal.ts';
import { transfer } from './transfer.ts';

/** The media type of each form; an answer with another type has another form. */
const TYPES: Record<Format, RegExp> = {
  json: /^application\/json/,
  ndjson: /^application\/x-ndjson/,
  csv: /^text\/csv/,
  parquet: /parquet/,
  xlsx: /spreadsheetml/,
};

/** Copies the bytes of the form. False if the service does not have it; nothing is written then. */
export async function copyForm(
  context: DownloadContext,
  { table, renewable }: { table: Table; renewable: RenewableGuid },
  form: Format,
): Promise<boolean> {
  const { client, options, part, waitOptions } = context;
  for (;;) {
    const guid = await renewable.guid();
    if (part && part.memory.guid !== guid) {
      await part.cut(0);
      await part.remember({ guid, etag: undefined, cursor: undefined, bytes: undefined });
    }
    const open = (headers: Record<string, string>): Promise<Response> =>
      openReport(
        client,
        table,
        guid,
        {
          ...(form === 'json' ? {} : { format: form }),
          ...(options.isPeople ? { layout: 'people' } : {}),
          names: options.names,
          headers,
        },
        waitOptions,
      );
    try {
      return await copyFrom(context, open, form, guid);
    } catch (error) {
      if (error instanceof InvalidRequestError && form !== 'json' && [400, 406].includes(error.status ?? 0))
        return false;
      if (!renewable.renew(error)) throw error;
    }
  }
}

const OTHER_FORM = Symbol('the answer has another form');

async function copyFrom(
  { part, terminal, spinner, options, waitOptions }: DownloadContext,
  open: (headers: Record<string, string>) => Promise<Response>,
  form: Format,
  guid: string,
): Promise<boolean> {
  const have = { bytes: part?.size() ?? 0, etag: part?.memory.etag };
  const moving = transfer({ open, have, guid: () => guid, signal: waitOptions.signal }, (response) => {
    const isError = response.status === 416;
    if (isError || TYPES[form].test(response.headers.get('content-type') ?? '')) return;
    void response.body?.cancel();
    throw OTHER_FORM;
  });
  let count = have.etag === undefined ? 0 : have.bytes;
  let known = have.etag;
  let sent: { etag: string | undefined } | undefined;
  const plain = plainPieces(terminal.out);
  try {
    for await (const { restart, bytes } of attend(moving.pieces, options.bounds)) {
      if (restart && !part && sent) {
        const why = sent.etag
          ? 'and the service has other bytes now'
          : 'and this service cannot resume it; --output FILE starts again by itself';
        throw new ConnectionError(`The transfer was interrupted after ${shownBytes(count)}, ${why}.`, { guid });
      }
      if (restart) {
        count = 0;
        await part?.cut(0);
      }
      if (part && moving.etag !== known) {
        known = moving.etag;
        await part.remember({ etag: known });
      }
      sent = { etag: moving.etag };
      count += bytes.length;
      if (part) await part.append(bytes);
      else {
        spinner.stop();
        await writeTo(terminal.out, plain(bytes));
      }
      spinner.say(
        `${options.output ?? 'Reading'} ${shownBytes(count)}${moving.total ? ` of ${shownBytes(moving.total)}, ${Math.floor((count / moving.total) * 100)} %` : ''}`,
      );
    }
  } catch (error) {
    if (error === OTHER_FORM) return false;
    throw error;
  }
  if (part && moving.digest !== undefined && (await part.digest()) !== moving.digest) {
    await part.discard();
    throw new CommandError(
      EXIT.failed,
      `${options.output} does not match the digest of the service; it was removed`,
      'Run the same command again.',
    );
  }
  return true;
}
