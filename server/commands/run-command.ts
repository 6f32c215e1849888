import { inspect } from 'node:util'
import { Command } from 'commander'
import { addCreateAdmin, addResetMfa, addResetPassword } from './account-commands.ts'
import { addBackup, addRestore, addVerifyBackup } from './backup-commands.ts'
import { setVariablesFile, type VariablesFile } from './command-environment.ts'
import { CommandRejected, exitCodes, formatOperatorError } from './command-errors.ts'
import { addCheckConfig, addDoctor } from './doctor-command.ts'
import { addAdopt, addImport, addShare } from './folder-commands.ts'
import { addMigrateDatabase, addMigrateStorage, addRotateKey } from './migrate-commands.ts'
import { print, printError } from './print.ts'
import { addServe } from './serve.ts'
import { addSync } from './sync-command.ts'

const exitCodesText = `
Exit codes:
  0  everything was done
  1  something failed, or only a part was done; stderr says what
  2  nothing was changed, because the command was called in the wrong way; stderr says which way works`

const toLines = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** Returns all commands. They load their modules only when they run. */
export function createProgram(version: string): Command {
  const program = new Command('proofroom')
    .description('Self-hosted photo galleries and proofing')
    .version(version)
    .option('--env <file>', 'read variables from a file, one NAME=value on each line; works with every command')
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
  for (const command of [program, ...program.commands]) command.addHelpText('after', exitCodesText)
  return program
}

/**
 * Runs the command of the command line, by default `serve`. `variablesFile` is the file of `--env`, whose variables the
 * launcher has set.
 */
export async function runCommand(version: string, variablesFile: VariablesFile | null): Promise<void> {
  setVariablesFile(variablesFile)
  const program = createProgram(version)
  // The service handles this itself.
  program.hook('preAction', (_program, command) => {
    if (command.name() !== 'serve') tolerateEndedReader()
  })

  const [word] = process.argv.slice(2)
  // Without this check, commander would pass an unknown word to the default command as an argument.
  if (word && !word.startsWith('-') && ![...program.commands.map((command) => command.name()), 'help'].includes(word)) {
    program.error(`Unknown command ${JSON.stringify(word)}. See proofroom --help.`)
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
