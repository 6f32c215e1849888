import { describe, expect, test } from 'vitest'
import { type Requirement, requireOrSkip, requireProgram } from './requirements.ts'

describe('a requirement', () => {
  const unmet: Requirement = { name: 'a teapot', isMet: () => false, remedy: 'Install the Debian package teapot.' }
  const met: Requirement = { ...unmet, isMet: () => true }
  /** Throws, like `skip` of Vitest. */
  const skip = (note?: string | boolean): never => {
    throw new Error(`skipped: ${note}`)
  }

  test('that is met lets the test run', () => {
    for (const inCi of [true, false]) expect(() => requireOrSkip(skip, [met, met], inCi)).not.toThrow()
  })

  test('that is not met skips the test with a note outside CI', () => {
    expect(() => requireOrSkip(skip, [met, unmet], false)).toThrow('skipped: tests that need a teapot')
  })

  test('that is not met fails the test in CI and says what to install', () => {
    const message = 'The tests need a teapot, which is missing here. Install the Debian package teapot.'
    expect(() => requireOrSkip(skip, [met, unmet], true)).toThrow(message)
  })

  test('can be a program that .ci/programs lists with its Debian package', () => {
    expect(requireProgram('php').remedy).toContain('Debian package php-cli')
    expect(() => requireProgram('teapot')).toThrow('.ci/programs does not list teapot')
  })
})
