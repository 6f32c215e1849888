import type { Command } from 'commander'
import { withAppContext } from './with-app-context.ts'

export const addRotateKey = (program: Command): Command =>
  program
    .command('rotate-key')
    .description('encrypt with ENCRYPTION_KEY what still lies under ENCRYPTION_KEY_OLD')
    .action(async () => {
      const { reencryptAll } = await import('./reencrypt-all.ts')
      await withAppContext(reencryptAll)
    })
