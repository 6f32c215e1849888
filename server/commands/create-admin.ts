import { createInterface } from 'node:readline'
import { Value } from 'typebox/value'
import { AccountPassword } from '../../contract/access.ts'
import { CreateUserBody } from '../../contract/people.ts'
import { createUser, generatePassword } from '../access/accounts.ts'
import { AppError } from '../platform/errors/app-error.ts'
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
  for (const [what, schema, value] of [
    ['user name', CreateUserBody.properties.username, username],
    ['email address', CreateUserBody.properties.email, email],
    ['password', AccountPassword, password],
  ] as const) {
    if (!Value.Check(schema, value)) throw new CommandRejected(`The ${what} is not valid.`)
  }
  try {
    await createUser(ctx, { username, email, role, password, mustChangePassword: chosen === null })
  } catch (error) {
    if (error instanceof AppError) return fail(error.message)
    throw error
  }
  print(`Created the account ${username} with the role ${role}.`)
  if (chosen === null) print(`Password: ${password}  (shown only this once, to be changed at the first sign-in)`)
}

/** Returns null if a password is to be generated. Throws CommandRejected for an empty password. */
export async function readPassword({ passwordStdin = false, ask = false }: CreateAdminOptions): Promise<string | null> {
  if (!passwordStdin && !ask) return null
  if (ask && !process.stdin.isTTY) throw new CommandRejected('--ask needs a terminal. Use --password-stdin instead.')
  if (ask) printQuestion('Password: ')
  const password = await readLine(ask)
  if (ask) printError('')
  if (password === '') throw new CommandRejected('The password is empty.')
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
