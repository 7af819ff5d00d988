/** `daypart completion`: scripts for shells, made from the table of commands and flags. */
import { UsageError } from '../config.ts';
import { COMMANDS, type Command, type Flag, TENDING } from './commands.ts';

const ALL: readonly Command[] = [...COMMANDS, ...TENDING];
const SHELLS = { bash, zsh, fish };

/** Throws UsageError for a shell that there is no script for. */
export function completionScript(words: readonly string[]): string {
  const [shell, extra] = words;
  if (shell === undefined) throw new UsageError('completion for which shell? bash, zsh or fish');
  if (extra !== undefined) throw new UsageError(`unexpected ${extra}`);
  if (!Object.hasOwn(SHELLS, shell))
    throw new UsageError(`there is completion for bash, zsh and fish, not for ${shell}`);
  return SHELLS[shell as keyof typeof SHELLS]();
}

/** Flags have the same values and kinds of values in every command but for these, which stand by command. */
function bash(): string {
  const cases = ALL.map(({ name, words = [], flags }) => {
    const values = flags.flatMap((flag) => (flag.value === undefined ? [] : [valueCase(flag)]));
    return `    ${name})
      case $before in
${values.join('\n')}
      esac
      words=${single(words.join(' '))} flags=${single([...flags.map((flag) => `--${flag.name}`), '--help'].join(' '))} ;;`;
  });
  return `# Completion of daypart for bash. Made by: daypart completion bash
_daypart() {
  local now=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words= flags=
  COMPREPLY=()
  # --flag=value arrives as three words.
  if [[ $now == = ]]; then now=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${single([...ALL.map(({ name }) => name), 'help', '--help', '--version'].join(' '))} -- "$now"))
    return
  fi
  case $command in
${cases.join('\n')}
    help) words=${single(ALL.map(({ name }) => name).join(' '))} ;;
  esac
  if [[ $now == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$now"))
  elif (( COMP_CWORD == 2 )); then COMPREPLY=($(compgen -W "$words" -- "$now"))
  fi
}
complete -o bashdefault -F _daypart daypart`;
}

function valueCase({ name, values, file }: Flag): string {
  if (file)
    return `        --${name}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$now")); return ;;`;
  const words = values ? `COMPREPLY=($(compgen -W ${single(values.join(' '))} -- "$now")); ` : '';
  return `        --${name}) ${words}return ;;`;
}

/** A text in single quotes, as all three shells read it. */
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zsh(): string {
  const plain = (text: string): string =>
    text.replace(/[[\]:\\]/g, (mark) => (mark === ':' || mark === '\\' ? `\\${mark}` : mark === '[' ? '(' : ')'));
  const flagSpec = ({ name, value, values, many, file, help }: Flag): string => {
    const action = file ? '_files' : values ? `(${values.join(' ')})` : ' ';
    const spec = `--${name}${value ? '=' : ''}[${plain(help)}]${value ? `:${value.toLowerCase()}:${action}` : ''}`;
    return single(many ? `*${spec}` : spec);
  };
  const cases = ALL.map(({ name, words, flags }) => {
    const specs = [
      ...(words ? [single(`1:what:(${words.join(' ')})`)] : [single('*:file:_files')]),
      ...flags.map(flagSpec),
      single('--help[how it is used]'),
    ];
    return `    ${name}) _arguments ${specs.join(' \\\n      ')} ;;`;
  });
  return `#compdef daypart
# Completion of daypart for zsh. Made by: daypart completion zsh
_daypart() {
  local -a commands
  commands=(
${ALL.map(({ name, summary }) => `    ${single(`${name}:${plain(summary)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _daypart ]]; then _daypart "$@"; else compdef _daypart daypart; fi`;
}

function fish(): string {
  const lines = ALL.flatMap(({ name, summary, words = [], flags }) => {
    const after = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c daypart -n __fish_use_subcommand -f -a ${name} -d ${fishText(summary)}`,
      ...(words.length > 0 ? [`complete -c daypart ${after} -f -a ${fishText(words.join(' '))}`] : []),
      ...flags.map(({ name: flag, value, values, file, help }) => {
        const takes =
          value === undefined ? '' : file ? ' -r -F' : values ? ` -x -a ${fishText(values.join(' '))}` : ' -x';
        return `complete -c daypart ${after} -l ${flag}${takes}${help ? ` -d ${fishText(help)}` : ''}`;
      }),
    ];
  });
  return ['# Completion of daypart for fish. Made by: daypart completion fish', ...lines].join('\n');
}

const fishText = (text: string): string => `'${text.replace(/[\\']/g, (mark) => `\\${mark}`)}'`;
