/** The Argon2 parameters; `memoryCost` is in KiB. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** About 30 ms and 19 MiB for each password. */
const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  /** Returns an Argon2id hash, which includes its salt and cost. */
  hash: (password: string) => Promise<string>
  /**
   * Takes as long as with a hash if `storedHash` is null (unknown account) or empty (no password), so that the time
   * does not reveal which accounts exist.
   */
  isCorrect: (storedHash: string | null, password: string) => Promise<boolean>
}

/** Argon2 is loaded with the first password, to save memory in an idle service. */
const loadArgon2 = () => import('@node-rs/argon2')

export function createPasswords(cost = standardCost): Passwords {
  const hash = async (password: string): Promise<string> => (await loadArgon2()).hash(password, cost)
  let dummyHash: Promise<string> | null = null

  return {
    hash,
    async isCorrect(storedHash, password) {
      dummyHash ??= hash('a password that nobody has')
      const { verify } = await loadArgon2()
      const isCorrect = await verify(storedHash || (await dummyHash), password)
      return isCorrect && Boolean(storedHash)
    },
  }
}
