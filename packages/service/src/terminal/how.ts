/** How a report is to come: its form, its file, how long it may take. */
import type { Daypart, Format, WaitOptions } from '../../../client/src/index.ts';
import { UsageError } from '../config.ts';
import type { Given } from './arguments.ts';
import type { Part } from './part.ts';
import type { Spinner } from './progress.ts';
import { type Bounds, readBounds, type Terminal } from './session.ts';

export interface How {
  form: 'table' | Format;
  output: string | undefined;
  force: boolean;
  names: boolean;
  all: boolean;
  bounds: Bounds;
}

const FORMS = ['json', 'ndjson', 'csv', 'parquet'] as const;
/** Throws UsageError for flags that do not go together. */
export function readHow(given: Given, { out, signal }: Terminal): How {
  const said = given.value('output');
  const output = said === '-' ? undefined : said;
  const ending = FORMS.find((form) => output?.toLowerCase().endsWith(`.${form}`));
  const stated = given.value('format') as How['form'] | undefined;
  const form = stated ?? ending ?? (output === undefined && out.isTTY ? 'table' : 'json');
  if (output !== undefined && stated === undefined && ending === undefined)
    throw new UsageError(
      `--output ${output}: the form is named by its ending, ${FORMS.map((one) => `.${one}`).join(', ')}, or by --format`,
    );
  if (given.has('force') && said === undefined) throw new UsageError('--force goes with --output');
  if (given.has('names') && given.has('no-names')) throw new UsageError('--names or --no-names, not both');
  if (form === 'parquet' && output === undefined && out.isTTY)
    throw new UsageError('parquet is not for a terminal; keep it with --output FILE');
  const names = form === 'table' ? !given.has('no-names') : given.has('names');
  return { form, output, force: given.has('force'), names, all: given.has('all'), bounds: readBounds(given, signal) };
}

export interface About {
  /** What the command is of, for finding again what it left. */
  what: string;
  dates?: string | undefined;
  splits?: string | undefined;
}

/** A report on its way. */
export interface Work {
  client: Daypart;
  about: About;
  how: How;
  terminal: Terminal;
  spinner: Spinner;
  part: Part | undefined;
  options: WaitOptions & { signal: AbortSignal };
}
