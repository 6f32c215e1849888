import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()

/** The hash of `Velvet-Harbor-26`. */
const bcrypt = '$2y$04$5qYW1o4cn8m/PALn9.YOru98aNIoahBCmfU8FDjtQZ6tPMrNVteke'
/** The hash of 80 letters `a`. */
const longBcrypt = '$2b$04$VXBH/qvc3fuKEIyue4G7DeeugR2MG1BSEWk9fjej/daFqBBp8bViG'

test('passwords are hashed by Argon2id at the cost that OWASP recommends, with a salt', async () => {
  const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(other).not.toBe(one)
})

test('passwords are verified at the cost of their hash', async () => {
  const hash = await createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 }).hash('correct horse')
  expect(hash).toContain('$m=8,t=1,p=1$')
  expect(await passwords.isCorrect(hash, 'correct horse')).toBe(true)
  expect(await passwords.isCorrect(hash, 'Correct horse')).toBe(false)
})

test('passwords do not delay the reading of files, however many are verified', async () => {
  const hash = await passwords.hash('correct horse')
  await passwords.isCorrect(hash, 'correct horse')
  let verified = 0
  const all = Array.from({ length: 24 }, async () => {
    await passwords.isCorrect(hash, 'correct horse')
    verified++
  })
  await setImmediate()
  await readFile(import.meta.filename)
  expect(verified).toBeLessThan(8)
  await Promise.all(all)
})

test('passwords are verified against bcrypt hashes, by their first 72 bytes', async () => {
  for (const hash of [bcrypt, bcrypt.replace('$2y', '$2b'), bcrypt.replace('$2y', '$2a')]) {
    expect(passwords.isForeign(hash)).toBe(true)
    expect(await passwords.isCorrect(hash, 'Velvet-Harbor-26')).toBe(true)
    expect(await passwords.isCorrect(hash, 'Velvet-Harbor-27')).toBe(false)
  }
  expect(passwords.isForeign(await passwords.hash('correct horse'))).toBe(false)
  expect(await passwords.isCorrect(longBcrypt, 'a'.repeat(80))).toBe(true)
  expect(await passwords.isCorrect(longBcrypt, 'a'.repeat(71))).toBe(false)
})

const unusable = [null, '', bcrypt.replace('$04', '$15'), bcrypt.slice(0, -1), '$2y$04$', 'unknown']
test.each(unusable)('passwords are never correct where the stored hash is %j', async (storedHash) => {
  expect(passwords.isForeign(storedHash)).toBe(false)
  expect(await passwords.isCorrect(storedHash, 'Velvet-Harbor-26')).toBe(false)
})
