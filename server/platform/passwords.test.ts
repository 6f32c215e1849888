import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()

describe('passwords', () => {
  test('are hashed by Argon2id at the cost that OWASP recommends, with a salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).not.toBe(one)
  })

  test('are verified at the cost of their hash', async () => {
    const hash = await createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 }).hash('correct horse')
    expect(hash).toContain('$m=8,t=1,p=1$')
    expect(await passwords.isCorrect(hash, 'correct horse')).toBe(true)
    expect(await passwords.isCorrect(hash, 'Correct horse')).toBe(false)
  })

  test('do not delay the reading of files, however many are verified', async () => {
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

  test('are verified against bcrypt hashes up to a cost of 14', async () => {
    const bcrypt = '$2y$04$5qYW1o4cn8m/PALn9.YOru98aNIoahBCmfU8FDjtQZ6tPMrNVteke'
    for (const hash of [bcrypt, bcrypt.replace('$2y', '$2b'), bcrypt.replace('$2y', '$2a')]) {
      expect(passwords.isForeign(hash)).toBe(true)
      expect(await passwords.isCorrect(hash, 'Velvet-Harbor-26')).toBe(true)
      expect(await passwords.isCorrect(hash, 'Velvet-Harbor-27')).toBe(false)
    }
    expect(await passwords.isCorrect(bcrypt.replace('$04', '$31'), 'Velvet-Harbor-26')).toBe(false)
    expect(passwords.isForeign(await passwords.hash('correct horse'))).toBe(false)
  })

  test.each([null, ''])('are never correct where the stored hash is %j', async (storedHash) => {
    expect(await passwords.isCorrect(storedHash, 'a password that nobody has')).toBe(false)
  })
})
