/** Loaded at the first password: an idle service need not hold it. */
const loaded = () => import('@node-rs/argon2')

/** Argon2id; takes about 30 ms on a thread of its own. */
export const hashPassword = async (password: string): Promise<string> => (await loaded()).hash(password)

let decoy: Promise<string> | null = null

/**
 * Takes as long for an account that does not exist (`storedHash` null) or has no password yet (empty), so that names
 * cannot be guessed by time.
 */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has')
  const { verify } = await loaded()
  const isRight = await verify(storedHash || (await decoy), password)
  return isRight && Boolean(storedHash)
}
