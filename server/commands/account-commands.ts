import { type Command, Option } from 'commander'
import { findUserByLogin } from '../access/account-rows.ts'
import { resetPassword } from '../access/accounts.ts'
import { removeSecondFactor } from '../access/second-factor/second-factor-rows.ts'
import { t } from '../platform/text/command-messages.ts'
import { fail } from './command-errors.ts'
import type { CreateAdminOptions } from './create-admin.ts'
import { print } from './print.ts'
import { withAppContext } from './with-app-context.ts'

export const addCreateAdmin = (program: Command): Command =>
  program
    .command('create-admin <username>')
    .description('help_createAdmin')
    .requiredOption('--email <address>', 'help_email')
    .addOption(new Option('--role <role>', 'help_role').choices(['super_admin', 'admin']).default('super_admin'))
    .option('--password-stdin', 'help_passwordStdin')
    .option('--ask', 'help_ask')
    .option('--yes', 'help_yes')
    .action(async (username: string, options: CreateAdminOptions & { yes?: boolean }) => {
      const { createAdmin, readPassword } = await import('./create-admin.ts')
      const password = await readPassword(options)
      const choice = { creates: 'ask', isConfirmed: options.yes ?? false, createsFirstAdmin: false } as const
      await withAppContext(choice, (ctx) => createAdmin(ctx, username, options, password))
    })

export const addResetPassword = (program: Command): Command =>
  program
    .command('reset-password <user>')
    .description('help_resetPassword')
    .action((user: string) =>
      withAppContext({ creates: 'never' }, async (ctx) => {
        const password = await resetPassword(ctx, user)
        if (password === null) return fail(t('noAccount'))
        print(t('newPassword', { password }))
      }),
    )

export const addResetMfa = (program: Command): Command =>
  program
    .command('reset-mfa <user>')
    .description('help_resetMfa')
    .action((user: string) =>
      withAppContext({ creates: 'never' }, async (ctx) => {
        const account = await findUserByLogin(ctx.db, user)
        if (!account) return fail(t('noAccount'))
        const wasThere = await removeSecondFactor(ctx, account.id)
        print(t(wasThere ? 'secondFactorRemoved' : 'noSecondFactor'))
      }),
    )
