import { type Command, Option } from 'commander'
import { findUserByLogin } from '../access/account-rows.ts'
import { resetPassword } from '../access/accounts.ts'
import { removeSecondFactor } from '../access/second-factor/second-factor-rows.ts'
import { fail } from './command-errors.ts'
import type { CreateAdminOptions } from './create-admin.ts'
import { print } from './print.ts'
import { withAppContext } from './with-app-context.ts'

const unknownAccount = 'No account has this user name or email address.'

export const addCreateAdmin = (program: Command): Command =>
  program
    .command('create-admin <username>')
    .description('create another account that works in the admin app; prints a generated password')
    .requiredOption('--email <address>', 'email address of the account')
    .addOption(
      new Option('--role <role>', 'role of the account').choices(['super_admin', 'admin']).default('super_admin'),
    )
    .option('--password-stdin', 'read the password from the first line of stdin instead of generating one')
    .option('--ask', 'ask for the password on the terminal instead of generating one')
    .option('--yes', 'create new data if there are none yet')
    .action(async (username: string, options: CreateAdminOptions & { yes?: boolean }) => {
      const { createAdmin, readPassword } = await import('./create-admin.ts')
      const password = await readPassword(options)
      const choice = { creates: 'ask', isConfirmed: options.yes ?? false, createsFirstAdmin: false } as const
      await withAppContext(choice, (ctx) => createAdmin(ctx, username, options, password))
    })

export const addResetPassword = (program: Command): Command =>
  program
    .command('reset-password <user>')
    .description('set a new password for an account, to be changed at the next sign-in')
    .action((user: string) =>
      withAppContext({ creates: 'never' }, async (ctx) => {
        const password = await resetPassword(ctx, user)
        if (password === null) return fail(unknownAccount)
        print(`New password: ${password}  (all sessions of this account have ended)`)
      }),
    )

export const addResetMfa = (program: Command): Command =>
  program
    .command('reset-mfa <user>')
    .description('remove the second factor of an account')
    .action((user: string) =>
      withAppContext({ creates: 'never' }, async (ctx) => {
        const account = await findUserByLogin(ctx.db, user)
        if (!account) return fail(unknownAccount)
        const wasThere = await removeSecondFactor(ctx, account.id)
        print(
          wasThere
            ? 'The second factor was removed. The account now signs in with its password only.'
            : 'The account has no second factor.',
        )
      }),
    )
