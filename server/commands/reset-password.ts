import type { Command } from 'commander'
import { resetPassword } from '../access/accounts.ts'
import { withAppContext } from './with-app-context.ts'

export const addResetPassword = (program: Command): Command =>
  program
    .command('reset-password <user>')
    .description('give an account a new password, to be changed at the next sign-in')
    .action((user: string) =>
      withAppContext(async (ctx) => {
        const password = await resetPassword(ctx, user)
        if (password === null) {
          console.error('There is no account of this name or mail address.')
          process.exitCode = 1
          return
        }
        console.log(`New password: ${password}  (all sessions of the account have ended)`)
      }),
    )
