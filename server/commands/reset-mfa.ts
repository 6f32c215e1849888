import type { Command } from 'commander'
import { findUserByLogin } from '../access/account-rows.ts'
import { removeSecondFactor } from '../access/remove-second-factor.ts'
import { withAppContext } from './with-app-context.ts'

export const addResetMfa = (program: Command): Command =>
  program
    .command('reset-mfa <user>')
    .description('remove the second factor of an account that has lost it')
    .action((user: string) =>
      withAppContext(async (ctx) => {
        const account = await findUserByLogin(ctx.db, user)
        if (!account) {
          console.error('There is no account of this name or mail address.')
          process.exitCode = 1
          return
        }
        const wasThere = await removeSecondFactor(ctx, account.id)
        console.log(
          wasThere ? 'The second factor is removed: the password alone signs in.' : 'There was no second factor.',
        )
      }),
    )
