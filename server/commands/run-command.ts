import { Command } from 'commander'
import { ConfigProblems } from '../platform/config.ts'
import { addAdopt } from './adopt.ts'
import { addBackup } from './backup.ts'
import { addCheckConfig } from './check-config.ts'
import { addImport } from './import.ts'
import { addMigrateDatabase } from './migrate-database.ts'
import { addMigrateStorage } from './migrate-storage.ts'
import { addResetMfa } from './reset-mfa.ts'
import { addResetPassword } from './reset-password.ts'
import { addRestore } from './restore.ts'
import { addRotateKey } from './rotate-key.ts'
import { addServe } from './serve.ts'
import { addShare } from './share.ts'
import { addVerifyBackup } from './verify-backup.ts'

/** Runs the command of the command line, by default `serve`. Commands load their modules only when they run. */
export async function runCommand(version: string): Promise<void> {
  const program = new Command('proofroom')
    .description('Photo galleries and proofing, on your own machine')
    .version(version)
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
  // Otherwise commander would pass an unknown word to the default command as an argument.
  if (word && !word.startsWith('-') && ![...program.commands.map((command) => command.name()), 'help'].includes(word)) {
    program.error(`There is no command ${JSON.stringify(word)}. See proofroom --help.`)
  }
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error
    console.error(`Proofroom cannot start:\n${error.lines.map((line) => `  ${line}`).join('\n')}`)
    process.exitCode = 1
  }
}
