import pLimit from 'p-limit'

/** The Argon2 parameters; `memoryCost` is in KiB. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** About 30 ms and 19 MiB for each password. */
const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  /** Returns an Argon2id hash, which includes its salt and cost. */
  hash: (password: string) => Promise<string>
  /**
   * Takes as long as with a hash of `hash` if `storedHash` is null (unknown account), empty (no password) or cannot be
   * verified, so that the time does not reveal which accounts exist. A foreign hash takes longer until it is replaced.
   */
  isCorrect: (storedHash: string | null, password: string) => Promise<boolean>
  /** Returns whether the hash comes from another installation. After a successful sign-in, it is replaced by one of `hash`. */
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

const bcryptHash = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Each step doubles the time: 14 takes about a second. */
const maxBcryptCost = 14

function isBcrypt(hash: string): boolean {
  const cost = bcryptHash.exec(hash)?.[1]
  return cost !== undefined && Number(cost) <= maxBcryptCost
}

const canVerify = (hash: string): boolean => hash.startsWith('$argon2') || isBcrypt(hash)

const verify = async (hash: string, password: string): Promise<boolean> =>
  isBcrypt(hash) ? (await loadBcrypt()).verify(password, hash) : (await loadArgon2()).verify(hash, password)

export function createPasswords(cost = standardCost): Passwords {
  const hash = (password: string): Promise<string> => limit(async () => (await loadArgon2()).hash(password, cost))
  let dummyHash: Promise<string> | null = null

  return {
    hash,
    async isCorrect(storedHash, password) {
      dummyHash ??= hash('a password that nobody has')
      const isVerifiable = storedHash !== null && canVerify(storedHash)
      const expected = isVerifiable ? storedHash : await dummyHash
      const isCorrect = await limit(() => verify(expected, password))
      return isCorrect && isVerifiable
    },
    isForeign: (storedHash) => storedHash !== null && isBcrypt(storedHash),
  }
}
