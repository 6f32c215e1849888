import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { builtFolder } from '../../server/platform/html/web-build.ts'
import { adminAppForFile, waitUntilRendered } from '../support/browser/admin-page.ts'
import { type NetworkRequest, recordNetwork, sumBytes } from '../support/browser/network-requests.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)

/** Modules that the overview does not need. */
const modules = ['events', 'photos', 'uploads', 'feedback', 'webhooks', 'people', 'settings', 'health'] as const

const isScript = ({ type, path }: NetworkRequest): boolean => type === 'Script' || /\.js$/.test(path)

describe('at most 180 KB of script load', () => {
  test('before sign-in', async () => {
    const { page, pageErrors } = await adminApp.openBlankPage({ device: 'phone' })
    const networkRequests = await recordNetwork(page)
    await page.goto(`${service.url}/admin`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(sumBytes(networkRequests.filter(isScript))).toBeGreaterThan(0)
    expect(sumBytes(networkRequests.filter(isScript))).toBeLessThanOrEqual(180_000)
    expect(await listModules(networkRequests)).toEqual(['account'])
    expect(pageErrors).toEqual([])
  })

  test('for the overview', async () => {
    const { page, pageErrors } = await adminApp.open(null, { device: 'phone' })
    const networkRequests = await recordNetwork(page)
    await page.goto(`${service.url}/admin`)
    await waitUntilRendered(page)
    await page.waitForLoadState('networkidle')
    expect(sumBytes(networkRequests.filter(isScript))).toBeLessThanOrEqual(180_000)
    expect((await listModules(networkRequests)).filter((module) => modules.includes(module as never))).toEqual([])
    expect(pageErrors).toEqual([])
  })
})

test('only one language is loaded', async () => {
  const { page } = await adminApp.openBlankPage({ locale: 'de-DE' })
  const networkRequests = await recordNetwork(page)
  await page.goto(`${service.url}/admin`)
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  const messages = await listChunks(/^\.\.\/locales\/\w+\/admin\.json/)
  expect(messages.length).toBeGreaterThan(1)
  expect(messages.filter((file) => networkRequests.some(({ path }) => path.endsWith(file)))).toHaveLength(1)
})

type Manifest = Record<string, { file: string; src?: string; isEntry?: boolean }>

const readManifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(`${builtFolder}/admin/manifest.json`, 'utf8'))

const listChunks = async (source: RegExp): Promise<string[]> =>
  Object.entries(await readManifest()).flatMap(([name, { file }]) => (source.test(name) ? [file] : []))

async function listModules(networkRequests: readonly NetworkRequest[]): Promise<string[]> {
  const entries = Object.entries(await readManifest()).filter(([, { file }]) =>
    networkRequests.some(({ path }) => path.endsWith(file)),
  )
  const found = entries.flatMap(
    ([name]) => /^admin\/(\w+)\/(?:\w+\/)?[\w-]+-(?:page|frame)\.tsx$/.exec(name)?.[1] ?? [],
  )
  return [...new Set(found)].sort()
}
