/** The declaration of a command, from which it is parsed, shown by `--help`, completed by shells and documented. */

export interface Flag {
  /** Without dashes. The `N` in `last-N-days` is a number; see `offered`. */
  name: string;
  /** The placeholder of its value in the help; absent if the flag has no value. */
  value?: string;
  /** The allowed values. */
  values?: readonly string[];
  /**
   * What serves instead of a wrong value, with this first word of the command: said with the refusal, in place of a
   * suggestion.
   */
  instead?(word: string, value: string): string | undefined;
  /** Accepts several of its values, separated by commas. */
  list?: true;
  /** May be given more than once. */
  many?: true;
  /** How its value is completed; `file` includes folders. */
  kind?: 'file' | 'restaurant';
  /** The program's setting that it sets. If it has no `value` it accepts on and off, and means on without either. */
  setting?: string;
  /** The numbers that completion offers for the `N` in its name, which may be another number. */
  offered?: readonly number[];
  /** Accepted, but neither shown, completed nor suggested. */
  deprecated?: true;
  help: string;
}

/** Settings that a command accepts as flags in addition to its own. */
export interface CommandSettings {
  flags: readonly Flag[];
  /** The settings that its help shows. */
  shown: readonly Flag[];
  /** The line above them in the help. */
  heading?: string;
  /** The line below them in the help. */
  note?: string;
}

export interface Command {
  /** One word, or two for a command of a group: `clients create`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The arguments after the name, as in the help: `GUID`, `metrics|checks`. */
  args: readonly string[];
  /** The possible values of the first argument, if known. */
  words?: readonly string[];
  flags: readonly Flag[];
  settings?: CommandSettings;
  /** Passes all words after its name on unparsed; only completion scripts call it, and no list shows it. */
  verbatim?: true;
  /** Lines of the help below the flags. */
  notes?: readonly string[];
  /** Examples: what each does, and how it is typed. */
  examples: readonly (readonly [what: string, words: string])[];
}
