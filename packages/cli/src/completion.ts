/** `daypart completion`: scripts for shells, generated from the table of commands. */
import { spellingsOf } from './arguments.ts';
import type { Command, Flag } from './command.ts';
import { UsageError } from './exit.ts';
import { commandsOf, firstWordsOf, flagsOf, groupOf, listed, type Program } from './program.ts';

const SHELLS = { bash, zsh, fish };

/** Throws UsageError for an unsupported shell. */
export function completionScript(program: Program, shell: string | undefined): string {
  if (shell === undefined) throw new UsageError('completion for which shell? bash, zsh or fish');
  if (!Object.hasOwn(SHELLS, shell))
    throw new UsageError(`there is completion for bash, zsh and fish, not for ${shell}`);
  const commands = listed(commandsOf(program));
  return SHELLS[shell as keyof typeof SHELLS](commands, completionEntries(commands));
}

/** What may follow one or two words of a command line. */
interface CompletionEntry {
  first: string;
  /** If undefined, the entry applies to any other second word. */
  second: string | undefined;
  summary: string;
  /** The possible next words. */
  words: readonly string[];
  flags: readonly Flag[];
}

/** Entries with two words come before those with only the first word. */
const completionEntries = (commands: readonly Command[]): CompletionEntry[] =>
  firstWordsOf(commands).flatMap((first) => {
    const own = commands.find(({ name }) => name === first);
    const group = groupOf(commands, first).map((command) => ({
      first,
      second: command.name.slice(first.length + 1),
      summary: command.summary,
      words: command.words ?? [],
      flags: flagsOf(command),
    }));
    const flags = own
      ? flagsOf(own)
      : [...new Map(group.flatMap((one) => one.flags).map((flag) => [flag.name, flag])).values()];
    const summary = own?.summary ?? group.map((one) => one.second).join(', ');
    return [
      ...group,
      { first, second: undefined, summary, words: [...(own?.words ?? []), ...group.map((one) => one.second)], flags },
    ];
  });

/** Text in single quotes, for all three shells. */
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly Command[], entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ first, second, words, flags }) => {
    const values = flags.flatMap((flag) => (flag.value === undefined || flag.deprecated ? [] : [bashValue(flag)]));
    return `    ${second === undefined ? `${first}\\ *` : `${first}\\ ${second}`})
      case $before in
${values.join('\n')}
      esac
      words=${single(words.join(' '))} flags=${single([...flags.flatMap(spellingsOf), '--help'].join(' '))} ;;`;
  });
  return `# Completion of daypart for bash. Made by: daypart completion bash
_daypart() {
  local now=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} first=\${COMP_WORDS[1]} second= words= flags=
  COMPREPLY=()
  # --flag=value arrives as three words.
  if [[ $now == = ]]; then now=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${single([...firstWordsOf(commands), 'help', '--help', '--version'].join(' '))} -- "$now"))
    return
  fi
  if (( COMP_CWORD > 2 )); then second=\${COMP_WORDS[2]}; fi
  case "$first $second" in
${cases.join('\n')}
    help\\ *) words=${single(firstWordsOf(commands).join(' '))} ;;
  esac
  if [[ $now == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$now"))
  elif (( COMP_CWORD == 2 )); then COMPREPLY=($(compgen -W "$words" -- "$now"))
  fi
}
# Names of restaurants hold blanks: each is quoted unless a quote was typed.
_daypart_restaurants() {
  local typed=$2 name
  typed=\${typed#[\\"\\']}
  typed=\${typed//\\\\/}
  while IFS= read -r name; do
    case $2 in
      [\\"\\']*) COMPREPLY+=("$name") ;;
      *) COMPREPLY+=("$(printf %q "$name")") ;;
    esac
  done < <("$1" completion restaurants "$typed" "\${@:3}" 2>/dev/null)
}
complete -o bashdefault -F _daypart daypart`;
}

function bashValue({ name, values, kind }: Flag): string {
  const words = {
    file: 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$now")); ',
    restaurant: `_daypart_restaurants "$1" "$now" "\${COMP_WORDS[@]:1}"; `,
  };
  const listed = values ? `COMPREPLY=($(compgen -W ${single(values.join(' '))} -- "$now")); ` : '';
  return `        --${name}) ${kind ? words[kind] : listed}return ;;`;
}

function zsh(_: readonly Command[], entries: readonly CompletionEntry[]): string {
  const plain = (text: string): string =>
    text.replace(/[[\]:\\]/g, (mark) => (mark === ':' || mark === '\\' ? `\\${mark}` : mark === '[' ? '(' : ')'));
  const actionOf = ({ kind, values }: Flag): string => {
    if (kind) return kind === 'file' ? '_files' : '_daypart_restaurants';
    return values ? `(${values.join(' ')})` : ' ';
  };
  const flagSpecs = (flag: Flag): string[] =>
    spellingsOf(flag).map((spelling) => {
      const { value, many, help } = flag;
      const spec = `${spelling}${value ? '=' : ''}[${plain(help)}]${value ? `:${value.toLowerCase()}:${actionOf(flag)}` : ''}`;
      return single(many ? `*${spec}` : spec);
    });
  const cases = entries.map(({ first, second, words, flags }) => {
    const specs = [
      words.length > 0 ? single(`1:what:(${words.join(' ')})`) : single('*:file:_files'),
      ...flags.flatMap(flagSpecs),
      single('--help[how it is used]'),
    ];
    const [pattern, shift] =
      second === undefined ? [`${first}\\ *`, ''] : [`${first}\\ ${second}`, 'shift words; (( CURRENT-- )); '];
    return `    ${pattern}) ${shift}_arguments ${specs.join(' \\\n      ')} ;;`;
  });
  const summaries = entries.filter(({ second }) => second === undefined);
  return `#compdef daypart
# Completion of daypart for zsh. Made by: daypart completion zsh
_daypart_restaurants() {
  local -a names
  names=("\${(@f)$($daypart_line[1] completion restaurants '' "\${(@)daypart_line[2,-1]}" 2>/dev/null)}")
  compadd -M 'm:{a-zA-Z}={A-Za-z}' -a names
}
_daypart() {
  local -a commands daypart_line
  daypart_line=("\${(@)words}")
  commands=(
${summaries.map(({ first, summary }) => `    ${single(`${first}:${plain(summary)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local first=$words[2] second=
  if (( CURRENT > 3 )); then second=$words[3]; fi
  shift words
  (( CURRENT-- ))
  case "$first $second" in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _daypart ]]; then _daypart "$@"; else compdef _daypart daypart; fi`;
}

function fish(commands: readonly Command[], entries: readonly CompletionEntry[]): string {
  const lines = entries.flatMap(({ first, second, summary, words, flags }) => {
    const seen = `__fish_seen_subcommand_from ${first}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`;
    const others = groupOf(commands, first).map(({ name }) => name.slice(first.length + 1));
    // For the first word of a group, its flags are offered only until the second word is typed.
    const alone =
      second === undefined && others.length > 0 ? `; and not __fish_seen_subcommand_from ${others.join(' ')}` : '';
    const after = `-n ${fishText(seen + alone)}`;
    return [
      ...(second === undefined
        ? [`complete -c daypart -n __fish_use_subcommand -f -a ${first} -d ${fishText(summary)}`]
        : []),
      ...(words.length > 0 ? [`complete -c daypart ${after} -f -a ${fishText(words.join(' '))}`] : []),
      ...flags.flatMap((flag) =>
        spellingsOf(flag).map(
          (spelling) =>
            `complete -c daypart ${after} -l ${spelling.slice(2)}${fishTakes(flag)} -d ${fishText(flag.help)}`,
        ),
      ),
    ];
  });
  return [
    '# Completion of daypart for fish. Made by: daypart completion fish',
    'function __daypart_restaurants',
    '  set -l line (commandline -opc)',
    "  daypart completion restaurants '' $line[2..-1] 2>/dev/null",
    'end',
    ...lines,
  ].join('\n');
}

function fishTakes({ value, values, kind }: Flag): string {
  if (value === undefined) return '';
  if (kind) return kind === 'file' ? ' -r -F' : " -x -a '(__daypart_restaurants)'";
  return values ? ` -x -a ${fishText(values.join(' '))}` : ' -x';
}

const fishText = (text: string): string => `'${text.replace(/[\\']/g, (mark) => `\\${mark}`)}'`;
