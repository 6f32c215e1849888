import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseChanges } from '../../tools/packaging/release-changelog.ts'
import { root } from './source-files.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('the changelog has the version of the package, and its sections are dated, newest first', () => {
  const { version } = JSON.parse(read('package.json'))
  const [first, ...sections] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title)
  expect(first).toBe('[Unreleased]')
  expect(sections[0]?.slice(0, -10)).toBe(`[${version}] - `)
  const dates = sections.map((section) => section.slice(-10))
  for (const date of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(dates.toSorted().toReversed()).toEqual(dates)
})

test('a release dates what is unreleased, and there must be something', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.1.0] - 2026-01-01\n\n- old\n'
  const released = releaseChanges(changelog, '0.2.0', '2026-02-02')
  expect(released).toBe(changelog.replace('- new', '## [0.2.0] - 2026-02-02\n\n- new'))
  expect(() => releaseChanges(released, '0.3.0', '2026-03-03')).toThrow('nothing below')
})
