import { Command } from 'commander'
import { ConfigProblems } from '../platform/config.ts'
import { addResetMfa } from './reset-mfa.ts'
import { addResetPassword } from './reset-password.ts'
import { addServe } from './serve.ts'
import { addShare } from './share.ts'

/** Runs the command that stands on the command line; without one the service is started. */
export async function runCommand(version: string): Promise<void> {
  const program = new Command('proofroom')
    .description('Photo galleries and proofing, on your own machine')
    .version(version)
  for (const add of [addServe, addShare, addResetPassword, addResetMfa]) add(program)

  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error
    console.error(`Proofroom cannot start:\n${error.lines.map((line) => `  ${line}`).join('\n')}`)
    process.exitCode = 1
  }
}
