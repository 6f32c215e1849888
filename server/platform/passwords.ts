import pLimit from 'p-limit'

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
  /** Whether the hash comes from another installation. After a successful sign-in, it is replaced by one of `hash`. */
  isForeign: (storedHash: string | null) => boolean
}

/**
 * Argon2 computes on the threads that also read files (UV_THREADPOOL_SIZE, 12 in the service). Many sign-ins at a time
 * leave most of them for the files.
 */
const limit = pLimit(3)

/** Argon2 is loaded with the first password, to save memory in an idle service. */
const loadArgon2 = () => import('@node-rs/argon2')
/** For the hashes of PicPeak. */
const loadBcrypt = () => import('@node-rs/bcrypt')

const isBcrypt = (hash: string): boolean => /^\$2[aby]\$/.test(hash)

/** Each step doubles the time: 14 takes about a second. */
const maxBcryptCost = 14

async function verify(hash: string, password: string): Promise<boolean> {
  if (!isBcrypt(hash)) return (await loadArgon2()).verify(hash, password)
  if (Number(hash.slice(4, 6)) > maxBcryptCost) return false
  return (await loadBcrypt()).verify(password, hash)
}

export function createPasswords(cost = standardCost): Passwords {
  const hash = (password: string): Promise<string> => limit(async () => (await loadArgon2()).hash(password, cost))
  let dummyHash: Promise<string> | null = null

  return {
    hash,
    async isCorrect(storedHash, password) {
      dummyHash ??= hash('a password that nobody has')
      const expected = storedHash || (await dummyHash)
      const isCorrect = await limit(() => verify(expected, password))
      return isCorrect && Boolean(storedHash)
    },
    isForeign: (storedHash) => storedHash !== null && isBcrypt(storedHash),
  }
}
