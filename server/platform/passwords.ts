/** The Argon2 parameters; `memoryCost` is in KiB. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** About 30 ms and 19 MiB. */
export const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  /** Returns an Argon2id hash, which includes its salt and cost. */
  hash: (password: string) => Promise<string>
  /**
   * Takes equally long for an unknown account (`storedHash` null) and one without a password (empty), so that timing
   * does not reveal account names.
   */
  isRight: (storedHash: string | null, password: string) => Promise<boolean>
}

/** Loaded with the first password, to save memory in an idle service. */
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
