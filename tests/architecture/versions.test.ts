import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { releaseChanges } from '../../tools/packaging/release-changelog.ts'
import { readText, root } from './source-files.ts'

const product = JSON.parse(readText('package.json'))

test('the changelog has the version of the package, and its sections are dated, newest first', () => {
  const [first, ...sections] = [...readText('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title)
  expect([first, sections[0]?.slice(0, -10)]).toEqual(['[Unreleased]', `[${product.version}] - `])
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

test('proofroom-client has the version of the product, one dependency of it, and at most 12 KB for a browser', async () => {
  const client = JSON.parse(readText('clients/typescript/package.json'))
  expect(client.version).toBe(product.version)
  expect(client.dependencies).toEqual({ 'openapi-fetch': product.dependencies['openapi-fetch'] })

  const bundle = await rolldown({ input: `${root}/clients/typescript/source/index.ts`, platform: 'browser' })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  const [{ code }] = output
  expect(code).toContain('createProofroom')
  expect(gzipSync(code).length).toBeLessThanOrEqual(12 * 1024)
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(8 * 1024)
})
