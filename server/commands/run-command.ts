import { inspect } from 'node:util'
import { Command, Help, type HelpConfiguration, type Option } from 'commander'
import { sourceLanguage } from '../../contract/languages.ts'
import type { MessageKey } from '../../locales/catalogs.ts'
import { findTerminalLanguage, setCommandLanguage, t } from '../platform/text/command-messages.ts'
import { addCreateAdmin, addResetMfa, addResetPassword } from './account-commands.ts'
import { addBackup, addRestore, addVerifyBackup } from './backup-commands.ts'
import { getEnvironment, setVariablesFile, type VariablesFile } from './command-environment.ts'
import { CommandRejected, exitCodes, formatOperatorError } from './command-errors.ts'
import { addCheckConfig, addDoctor } from './doctor-command.ts'
import { addAdopt, addImport, addShare } from './folder-commands.ts'
import { addMigrateDatabase, addMigrateStorage, addRotateKey } from './migrate-commands.ts'
import { print, printError } from './print.ts'
import { addServe } from './serve.ts'
import { addSync } from './sync-command.ts'

type HelpKey = MessageKey<'commands'>

const toLines = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** The texts of commands and options are read when help is shown, so that the service starts without them. */
const translatedHelp: HelpConfiguration = {
  // Empty for a hidden command.
  commandDescription: (command) => command.description() && t(command.description() as HelpKey),
  subcommandDescription: (command) => t(command.description() as HelpKey),
  optionDescription(option) {
    const translated: Option = Object.assign(Object.create(option), { description: t(option.description as HelpKey) })
    return Help.prototype.optionDescription(translated)
  },
}

/** Returns all commands. They load their modules only when they run. Their descriptions are keys of messages. */
export function createProgram(version: string): Command {
  const program = new Command('proofroom')
    .description('help_proofroom')
    .version(version, '-V, --version', 'help_version')
    .helpOption('-h, --help', 'help_help')
    .helpCommand('help [command]', 'help_help')
    .configureHelp(translatedHelp)
    .option('--env <file>', 'help_env')
    .configureOutput({ writeOut: (text) => print(...toLines(text)), writeErr: (text) => printError(...toLines(text)) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.rejected))
  for (const add of [
    addServe,
    addShare,
    addSync,
    addCreateAdmin,
    addResetPassword,
    addResetMfa,
    addImport,
    addDoctor,
    addCheckConfig,
    addBackup,
    addRestore,
    addVerifyBackup,
    addRotateKey,
    addAdopt,
    addMigrateDatabase,
    addMigrateStorage,
  ])
    add(program)
  for (const command of [program, ...program.commands]) command.addHelpText('after', () => `\n${t('exitCodes')}`)
  return program
}

/**
 * Runs the command of the command line, by default `serve`. `variablesFile` is the file of `--env`, whose variables the
 * launcher has set.
 */
export async function runCommand(version: string, variablesFile: VariablesFile | null): Promise<void> {
  setVariablesFile(variablesFile)
  setCommandLanguage(findTerminalLanguage(getEnvironment()))
  const program = createProgram(version)
  program.hook('preAction', (_program, command) => {
    // Programs read JSON, so its texts are the same in each language.
    if (command.opts().json) setCommandLanguage(sourceLanguage)
    // The service handles this itself.
    if (command.name() !== 'serve') tolerateEndedReader()
  })

  const [word] = process.argv.slice(2)
  // Without this check, commander would pass an unknown word to the default command as an argument.
  if (word && !word.startsWith('-') && ![...program.commands.map((command) => command.name()), 'help'].includes(word)) {
    program.error(t('unknownCommand', { word: JSON.stringify(word) }))
  }
  try {
    await program.parseAsync()
  } catch (error) {
    const line = formatOperatorError(error as Error)
    // A fault of the program, with its stack.
    printError(...(line ?? inspect(error)).split('\n'))
    // Threads may still run. Nothing is lost, because outputs are written synchronously.
    process.exit(error instanceof CommandRejected ? exitCodes.rejected : exitCodes.failed)
  }
}

/**
 * The program that reads the output may end first, such as `head`. The command finishes its work without output, and ends
 * with its own exit code.
 */
function tolerateEndedReader(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
