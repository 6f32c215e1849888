import { hash, verify } from '@node-rs/argon2'

/** Argon2id; takes about 30 ms on a thread of its own. */
export const hashPassword = (password: string): Promise<string> => hash(password)

let decoy: Promise<string> | null = null

/** Takes as long for an account that does not exist (`storedHash` null), so that names cannot be guessed by time. */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash('a password that nobody has')
  const isRight = await verify(storedHash ?? (await decoy), password)
  return isRight && storedHash !== null
}
