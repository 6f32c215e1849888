import type { Command } from 'commander'
import { findUserByLogin } from '../access/account-rows.ts'
import { resetPassword } from '../access/accounts.ts'
import { removeSecondFactor } from '../access/second-factor-rows.ts'
import { fail } from './command-errors.ts'
import { withAppContext } from './with-app-context.ts'

const unknownAccount = 'No account has this user name or email address.'

export const addResetPassword = (program: Command): Command =>
  program
    .command('reset-password <user>')
    .description('set a new password for an account, to be changed at the next sign-in')
    .action((user: string) =>
      withAppContext(async (ctx) => {
        const password = await resetPassword(ctx, user)
        if (password === null) return fail(unknownAccount)
        console.log(`New password: ${password}  (all sessions of this account have ended)`)
      }),
    )

export const addResetMfa = (program: Command): Command =>
  program
    .command('reset-mfa <user>')
    .description('remove the second factor of an account')
    .action((user: string) =>
      withAppContext(async (ctx) => {
        const account = await findUserByLogin(ctx.db, user)
        if (!account) return fail(unknownAccount)
        const wasThere = await removeSecondFactor(ctx, account.id)
        console.log(
          wasThere
            ? 'The second factor was removed. The account now signs in with its password only.'
            : 'The account has no second factor.',
        )
      }),
    )
