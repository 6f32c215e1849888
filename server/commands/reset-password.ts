import type { Command } from 'commander'
import { resetPassword } from '../access/accounts.ts'
import { withHouse } from './with-house.ts'

export const addResetPassword = (program: Command): Command =>
  program
    .command('reset-password <user>')
    .description('give an account a new password, to be changed at the next sign-in')
    .action((user: string) =>
      withHouse(async (house) => {
        const password = await resetPassword(house, user)
        if (password === null) {
          console.error('There is no account of this name or mail address.')
          process.exitCode = 1
          return
        }
        console.log(`New password: ${password}  (all sessions of the account have ended)`)
      }),
    )
