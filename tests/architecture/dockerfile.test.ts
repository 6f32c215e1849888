import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  getImageInstruction,
  isIgnored,
  parseArray,
  readDockerStages,
  readIgnoreLines,
} from '../support/service/dockerfile.ts'

const root = join(import.meta.dirname, '../..')

type Locked = { dev?: boolean; version?: string }
const locked = Object.entries<Locked>(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)

test('what reaches the builder of the image exists; data, secrets, builds and tests do not reach it', () => {
  const sources = readIgnoreLines().flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  expect(sources.length).toBeGreaterThan(8)
  expect(sources.filter((path) => !existsSync(join(root, path)) || isIgnored(path))).toEqual([])
  const secret = ['data/proofroom.db', '.git/HEAD', '.env', 'deploy/.env']
  const built = ['node_modules/pg', 'server/app.test.ts', 'server/built', 'web/built', 'dist/package']
  expect([...secret, ...built].filter((path) => !isIgnored(path))).toEqual([])
  expect(isIgnored('server/platform/media/fonts/OpenSans-SemiBold.ttf')).toBe(false)
})

test('the image does not run as root, stores data in its own volume, and starts by the command of the package', () => {
  expect(getImageInstruction('USER')).toBe('node')
  expect(getImageInstruction('VOLUME')).toBe('/data')
  expect(getImageInstruction('ENV')).toContain('DATA_DIR=/data')
  const command = [...parseArray(getImageInstruction('ENTRYPOINT')), ...parseArray(getImageInstruction('CMD'))]
  expect(command).toEqual(['tini', '--', 'proofroom', 'serve'])
  const image = readDockerStages().at(-1)
  expect(image?.some(({ value }) => value.startsWith('PATH=/app/node_modules/.bin:'))).toBe(true)
})

test('the image has the Node version of the tests, once', () => {
  const [major] = locked.find(([path]) => path === 'node_modules/node')?.[1].version?.split('.') ?? []
  const bases = readDockerStages().map(([from]) => from?.value.replace(/ AS \w+$/, ''))
  expect(new Set(bases)).toEqual(new Set([`node:${major}-slim`, 'system', 'scratch']))
})

test('every native package for amd64 is also there for arm64', () => {
  const paths = locked.flatMap(([path, { dev }]) => (dev ? [] : [path]))
  const native = paths.filter((path) => /linux-x64(-gnu)?$/.test(path))
  expect(native.length).toBeGreaterThan(2)
  expect(native.filter((path) => !paths.includes(path.replace('linux-x64', 'linux-arm64')))).toEqual([])
  expect(existsSync(join(root, 'node_modules/better-sqlite3/prebuilds/linux-arm64.node'))).toBe(true)
})

test('the files of the package are named, because the programs that write it know no patterns', () => {
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(files.filter((file) => /[*?{}[\]!]/.test(file))).toEqual([])
})
