import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const texts = JSON.parse(readFileSync(join(import.meta.dirname, '../../../locales/en/admin.json'), 'utf8')).health

/** The rule of `server/dashboard/activity/activity-hook.ts`. Guests are not recorded, so sign-in to galleries is excluded. */
const isRecorded = ({ method, url, schema, config }: RouteOptions): boolean =>
  /^\/api\/(v1|admin|auth(?!\/gallery))\//.test(url) &&
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) &&
  schema?.operationId !== undefined &&
  !(config as { skipAudit?: boolean } | undefined)?.skipAudit

test('the admin app has a message for exactly the operations that are recorded', async () => {
  const routes: RouteOptions[] = []
  await withAppContext(service, async (ctx) => {
    const { http } = await createApp(ctx, (route) => routes.push(route))
    await http.ready()
    await http.close()
  })
  const recordedKeys = new Set(routes.filter(isRecorded).map(({ schema }) => `action_${schema?.operationId}`))
  const messageKeys = Object.keys(texts).filter((key) => key.startsWith('action_'))
  expect(messageKeys.sort()).toEqual([...recordedKeys].sort())
})

test('the admin app has a name for every item of the health page', async () => {
  const { items } = (await service.admin.get('/api/admin/health')).body
  const itemKeys = Object.keys(texts).filter((key) => key.startsWith('item_'))
  expect(itemKeys.sort()).toEqual(items.map(({ key }: { key: string }) => `item_${key}`).sort())
})
