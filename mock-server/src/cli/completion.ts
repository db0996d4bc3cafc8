/** Completes the command line in a shell. The shell asks this program, which knows its own commands. */
import { readFileSync } from 'node:fs'
import { Argument, Command, type Option } from 'commander'
import { PREPARED } from '../assets.ts'

/** Where each shell reads its functions, and the function that asks. The program's name is in `%s`. */
const SHELLS: Readonly<Record<string, string>> = {
  bash: `_%s() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(%s complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _%s %s`,
  zsh: `#compdef %s
_%s() {
  local -a found
  local line
  for line in "\${(@f)$(%s complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe '%s' found; else _files; fi
}
compdef _%s %s`,
  fish: `function __%s
  set -l words (commandline -opc) (commandline -ct)
  %s complete -- $words[2..-1] 2>/dev/null
end
complete -c %s -a '(__%s)'`,
}

/** The command that prints a script for a shell. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('Print the completion script of a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
Examples:
  $ support-chat-mock completion bash >> ~/.bashrc
  $ support-chat-mock completion zsh > "\${fpath[1]}/_support-chat-mock"
  $ support-chat-mock completion fish > ~/.config/fish/completions/support-chat-mock.fish`,
    )
    .action((shell: string, _, command: Command) => {
      const name = command.parent?.name() ?? ''
      process.stdout.write(`${SHELLS[shell]?.replaceAll('%s', name)}\n`)
    })
}

/** The hidden command that the scripts call with the words so far, the last one unfinished. */
export function completeCommand(): Command {
  return new Command('complete')
    .argument('[words...]')
    .allowUnknownOption()
    .action((words: string[], _, command: Command) => {
      const found = command.parent ? candidates(command.parent, words) : []
      process.stdout.write(found.map(({ word, text }) => `${word}\t${text}\n`).join(''))
    })
}

interface Candidate {
  word: string
  text: string
}

/** What may stand for the last of the words. None where it is a value that only the user knows. */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const typed = words.at(-1) ?? ''
  let command = program
  let given = 0
  let value: readonly string[] | undefined | null = null
  for (const word of words.slice(0, -1)) {
    const option = command.options.find(({ short, long }) => word === short || word === long)
    if (value !== null) value = null
    else if (option?.required) value = option.argChoices ?? kindsFor(option)
    else if (!word.startsWith('-')) {
      const inner = command.commands.find((one) => one.name() === word)
      given = inner ? 0 : given + 1
      command = (inner ?? command) as Command
    }
  }
  const all = value === null ? wordsOf(command, given, typed) : (value ?? []).map(plain)
  return all.filter(({ word }) => word.startsWith(typed))
}

function wordsOf(command: Command, given: number, typed: string): Candidate[] {
  if (typed.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command)
    return options.map(({ long, short, description }) => {
      return { word: long ?? short ?? '', text: description }
    })
  }
  const argument = command.registeredArguments[given]
  const choices =
    argument?.argChoices ?? (argument?.name() === 'kind' ? [...kinds(), 'future'] : [])
  const inner = given > 0 ? [] : command.createHelp().visibleCommands(command)
  const commands = inner.map((one) => ({ word: one.name(), text: one.description() }))
  return [...commands, ...choices.map(plain)]
}

/** The kinds of events, for an option that takes them. */
function kindsFor({ flags }: Option): string[] | undefined {
  return /<kinds?>$/.test(flags) ? kinds() : undefined
}

/** Those of the contract of this package. */
function kinds(): string[] {
  const { document } = JSON.parse(readFileSync(PREPARED, 'utf8'))
  return Object.keys(document.webhooks ?? {})
}

function plain(word: string): Candidate {
  return { word, text: '' }
}
