/** What a command is: its one declaration is parsed by, shown by `--help`, completed by shells and written into the docs. */

export interface Flag {
  /** Without the dashes. The `N` of `last-N-days` is a number that people type: see `offered`. */
  name: string;
  /** The placeholder of its value in the help; without one, the flag takes no value. */
  value?: string;
  /** The values that it takes. */
  values?: readonly string[];
  /** Takes several of its values, separated by commas. */
  list?: true;
  /** May be given more than once. */
  many?: true;
  /** What completes its value; a file is a folder too. */
  kind?: 'file' | 'restaurant';
  /** The setting of a program that it sets; a setting without `value` takes on and off, and is on without either. */
  setting?: string;
  /** The numbers that completion offers for the `N` of its name, which may be any positive one. */
  offered?: readonly number[];
  /** Read as ever, but neither completed nor suggested. */
  deprecated?: true;
  help: string;
}

/** Settings that a command takes as flags besides its own. */
export interface CommandSettings {
  flags: readonly Flag[];
  /** Those that its help shows. */
  shown: readonly Flag[];
  /** The line of the help above them. */
  heading?: string;
  /** The line of the help below them. */
  note?: string;
}

export interface Command {
  /** One word, or two where it is one of a group: `clients create`. */
  name: string;
  /** A line for the list of commands. */
  summary: string;
  /** The arguments after the name, as the help shows them: `GUID`, `metrics|checks`. */
  args: readonly string[];
  /** What the first argument may be, where that is known. */
  words?: readonly string[];
  flags: readonly Flag[];
  settings?: CommandSettings;
  /** Takes every word after its name as it is, flags too; only completion calls it, and no list shows it. */
  verbatim?: true;
  /** Lines of the help below the flags. */
  notes?: readonly string[];
  /** What it does, and how that is typed. */
  examples: readonly (readonly [what: string, words: string])[];
}
