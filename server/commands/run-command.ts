import { Command } from 'commander'
import { ConfigProblems } from '../platform/config.ts'
import { addResetMfa, addResetPassword } from './account-commands.ts'
import { addBackup, addRestore, addVerifyBackup } from './backup-commands.ts'
import { addAdopt, addImport, addShare } from './folder-commands.ts'
import { addMigrateDatabase, addMigrateStorage, addRotateKey } from './migrate-commands.ts'
import { addCheckConfig, addServe } from './serve.ts'

/** Runs the command of the command line, by default `serve`. Commands load their modules only when they run. */
export async function runCommand(version: string): Promise<void> {
  const program = new Command('proofroom').description('Self-hosted photo galleries and proofing').version(version)
  for (const add of [
    addServe,
    addShare,
    addResetPassword,
    addResetMfa,
    addImport,
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

  const [word] = process.argv.slice(2)
  // Without this check, commander would pass an unknown word to the default command as an argument.
  if (word && !word.startsWith('-') && ![...program.commands.map((command) => command.name()), 'help'].includes(word)) {
    program.error(`Unknown command ${JSON.stringify(word)}. See proofroom --help.`)
  }
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error
    console.error(`Proofroom cannot start:\n${error.lines.map((line) => `  ${line}`).join('\n')}`)
    process.exitCode = 1
  }
}
