/** What one hash costs, in the units of Argon2: memory in KiB, passes over it, and threads. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** About 30 ms and 19 MiB on a thread of its own. */
export const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  /** Returns an Argon2id hash, which states its salt and cost. */
  hash: (password: string) => Promise<string>
  /**
   * Takes as long for an account that does not exist (`storedHash` null) or has no password yet (empty), so that names
   * cannot be guessed by time.
   */
  isRight: (storedHash: string | null, password: string) => Promise<boolean>
}

/** Loaded at the first password: an idle service need not hold it. */
const loaded = () => import('@node-rs/argon2')

export function createPasswords(cost = standardCost): Passwords {
  const hash = async (password: string): Promise<string> => (await loaded()).hash(password, cost)
  let decoy: Promise<string> | null = null

  return {
    hash,
    async isRight(storedHash, password) {
      decoy ??= hash('a password that nobody has')
      const { verify } = await loaded()
      const isRight = await verify(storedHash || (await decoy), password)
      return isRight && Boolean(storedHash)
    },
  }
}
