import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findStalePatches, readPlantedFaults } from '../../tools/planted-faults.ts'
import { root } from './source-files.ts'

const faults = readPlantedFaults()

describe('the planted faults', () => {
  test('have enough consecutive numbers', () => {
    const numbers = faults.map(({ name }) => Number(/^(\d\d)-[a-z0-9-]+$/.exec(name)?.[1]))
    expect(numbers).toEqual(faults.map((_, index) => index + 1))
    expect(faults.length).toBeGreaterThanOrEqual(44)
  })

  test('apply to the current sources', () => {
    expect(findStalePatches(faults)).toEqual([])
  })

  test('have hunks that match exactly one place', () => {
    const unclear = faults.flatMap(({ name, path }) => {
      const parts = readFileSync(path, 'utf8').split(/^(?=diff --git |@@ )/m)
      let source = ''
      return parts.flatMap((part) => {
        const [, file] = /^--- a\/(.+)$/m.exec(part) ?? []
        if (file) source = `\n${readFileSync(join(root, file), 'utf8')}`
        if (!part.startsWith('@@ ')) return []
        const before = part.split('\n').filter((line) => /^[- ]/.test(line))
        const text = before.map((line) => `\n${line.slice(1)}`).join('')
        return before.length > 0 && source.split(`${text}\n`).length === 2 ? [] : [`${name}: ${part}`]
      })
    })
    expect(unclear).toEqual([])
  })

  test.each(faults)('$name breaks a promise of the product that a test file checks', (fault) => {
    expect(fault.promise).toMatch(/^[^\n]+\.$/)
    expect(fault.foundBy).toMatch(/^(server|tests|locales|web)\/.+\.test\.ts$/)
    expect(fault.foundBy).not.toMatch(/\.(long|postgres|s3)\.test\.ts$/)
    expect(existsSync(join(root, fault.foundBy))).toBe(true)
    expect(fault.files.length).toBeGreaterThan(0)
    for (const file of fault.files)
      expect(file).toMatch(/^(server|contract|web|locales|bin)\/(?!.*\.(test|suite)\.ts$)/)
  })

  test('all but a few are found by `npm test`, the others by `npm run test:full`', () => {
    const byFullTier = faults.filter(({ foundBy }) => foundBy.endsWith('.full.test.ts'))
    expect(byFullTier.map(({ name }) => name)).toEqual([
      '55-import-command-succeeds-always',
      '56-files-readable-by-others',
      '73-shared-file-by-sent-name',
    ])
  })
})
