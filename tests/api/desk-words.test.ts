import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { withAppContext } from '../support/accounts.ts'
import { sharedService } from '../support/test-service.ts'

const service = await sharedService()
const texts = JSON.parse(readFileSync(join(import.meta.dirname, '../../texts/admin/en.json'), 'utf8')).health

/** What is written down when somebody does it: see record-activity.ts. Nobody comes into a gallery by an account. */
const isTold = ({ method, url, schema, config }: RouteOptions): boolean =>
  /^\/api\/(v1|admin|auth(?!\/gallery))\//.test(url) &&
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) &&
  schema?.operationId !== undefined &&
  !(config as { isUntold?: boolean } | undefined)?.isUntold

test('the desk has words for everything that the activity may tell of, and for nothing else', async () => {
  const routes: RouteOptions[] = []
  await withAppContext(service, async (ctx) => {
    const { http } = await createApp(ctx, (route) => routes.push(route))
    await http.ready()
    await http.close()
  })
  const told = new Set(routes.filter(isTold).map(({ schema }) => `action_${schema?.operationId}`))
  const said = Object.keys(texts).filter((key) => key.startsWith('action_'))
  expect(said.sort()).toEqual([...told].sort())
})

test('the desk has a name for every item of the health page', async () => {
  const { items } = (await service.admin.get('/api/admin/health')).body
  const named = Object.keys(texts).filter((key) => key.startsWith('item_'))
  expect(named.sort()).toEqual(items.map(({ key }: { key: string }) => `item_${key}`).sort())
})
