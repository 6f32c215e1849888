import { createInterface } from 'node:readline'
import { Value } from 'typebox/value'
import { AccountPassword } from '../../contract/access.ts'
import { CreateUserBody } from '../../contract/people.ts'
import { createUser, generatePassword } from '../access/accounts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { CommandRejected, fail } from './command-errors.ts'
import { print, printError, printQuestion } from './print.ts'

export type CreateAdminOptions = {
  email: string
  role: 'super_admin' | 'admin'
  passwordStdin?: boolean
  ask?: boolean
}

/** Creates an account. A generated password is printed, and must be changed at the first sign-in. */
export async function createAdmin(
  ctx: AppContext,
  username: string,
  { email, role }: CreateAdminOptions,
  chosen: string | null,
): Promise<void> {
  const password = chosen ?? generatePassword()
  for (const [problem, schema, value] of [
    ['userNameInvalid', CreateUserBody.properties.username, username],
    ['emailInvalid', CreateUserBody.properties.email, email],
    ['passwordInvalid', AccountPassword, password],
  ] as const) {
    if (!Value.Check(schema, value)) throw new CommandRejected(t(problem))
  }
  try {
    await createUser(ctx, { username, email, role, password, mustChangePassword: chosen === null })
  } catch (error) {
    if (error instanceof AppError) return fail(error.message)
    throw error
  }
  print(t('accountCreated', { user: username, role }))
  if (chosen === null) print(t('accountPassword', { password }))
}

/** Returns null if a password is to be generated. Throws CommandRejected for an empty password. */
export async function readPassword({ passwordStdin = false, ask = false }: CreateAdminOptions): Promise<string | null> {
  if (!passwordStdin && !ask) return null
  if (ask && !process.stdin.isTTY) throw new CommandRejected(t('askNeedsTerminal'))
  if (ask) printQuestion(`${t('passwordQuestion')} `)
  const password = await readLine(ask)
  if (ask) printError('')
  if (password === '') throw new CommandRejected(t('passwordEmpty'))
  return password
}

/** Reads one line of stdin; typed characters are not shown if it is `isHidden`. */
async function readLine(isHidden: boolean): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: isHidden })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}
