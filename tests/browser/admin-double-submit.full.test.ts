import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { adminAppForFile } from '../support/browser/admin-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const adminApp = await adminAppForFile(service)

async function eventNames(): Promise<string[]> {
  const { body } = await admin.get('/api/admin/events')
  return body.events.map(({ event_name }: { event_name: string }) => event_name).sort()
}

async function fillEvent(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Ana & Ben')
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Wedding' })
  await page.getByLabel('Link only').check()
}

beforeEach(async () => {
  const { body } = await admin.get('/api/admin/events')
  for (const { id } of body.events) await admin.delete(`/api/admin/events/${id}`)
})

test('an event is created once by two clicks, and once by two presses of Enter', async () => {
  for (const twice of [
    (page: Page) => page.getByRole('button', { name: 'Create event' }).dblclick(),
    async (page: Page) => {
      await page.getByLabel('Name', { exact: true }).focus()
      await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')])
    },
  ]) {
    const before = (await eventNames()).length
    const { page } = await adminApp.open('/events/new')
    await fillEvent(page)
    await twice(page)
    await page.getByRole('heading', { level: 1, name: 'Ana & Ben' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await eventNames()).toHaveLength(before + 1)
  }
})

test('an event is duplicated once by two clicks', async () => {
  const { id } = await createEvent(api, { event_name: 'Clara & Dan' })
  const { page } = await adminApp.open(`/events/${id}`)
  await page.getByRole('button', { name: /^More/ }).first().click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).dblclick()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`))
  await page.waitForLoadState('networkidle')
  expect(await eventNames()).toHaveLength(2)
})

test('a webhook is created once by two clicks', async () => {
  const { page } = await adminApp.open('/webhooks/new')
  await page.getByLabel('Name').fill('My site')
  await page.getByLabel('Address').fill('https://receiver.example/hook')
  await page.getByLabel('Photo or video uploaded, replaced').check()
  await page.getByRole('button', { name: 'Create webhook' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'My site' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect((await admin.get('/api/admin/webhooks')).body).toHaveLength(1)
})
