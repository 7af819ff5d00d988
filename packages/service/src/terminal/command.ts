/** What a command is: its one declaration is parsed by, shown by `--help`, completed by shells and written into the docs. */
import type { SettingName } from '../config.ts';

export interface Flag {
  /** Without the dashes. The `N` of `last-N-days` is a number that people type: see `offered`. */
  name: string;
  /** What stands for its value in the help; without, the flag takes none. */
  value?: string;
  /** The values that it takes. */
  values?: readonly string[];
  /** Takes several of its values, separated by commas. */
  list?: true;
  /** May be given more than once. */
  many?: true;
  /** What completes its value; a file is a folder too. */
  kind?: 'file' | 'restaurant';
  /** The setting of the service that it sets; one of on and off may stand without a value. */
  setting?: SettingName;
  /** The numbers that completion offers for the `N` of its name, which may be any positive one. */
  offered?: readonly number[];
  help: string;
}

export interface Command {
  /** One word, or two where it is one of a group: `clients create`. */
  name: string;
  /** Whether it calls a service that runs anywhere, or runs and maintains one on this machine. */
  section: 'reports' | 'service';
  /** A line for the list of commands. */
  summary: string;
  /** What stands after the name, as the help shows it: `GUID`, `metrics|checks`. */
  args: readonly string[];
  /** What the first argument may be, where that is known. */
  words?: readonly string[];
  flags: readonly Flag[];
  /** Whether it takes the settings of the service as flags; `listed` shows each of them in its help. */
  settings?: 'taken' | 'listed';
  /** Takes every word after its name as it is, flags too; completion alone calls it, and no list shows it. */
  verbatim?: true;
  /** Lines of the help below the flags. */
  notes?: readonly string[];
  /** What it does, and how that is typed. */
  examples: readonly (readonly [what: string, words: string])[];
}
