import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAdminApp, withoutResponses } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { byKeyboard, hasFocus, tabTo } from '../support/browser/input-methods.ts'
import { serviceForFile } from '../support/service/test-service.ts'
import { answer, respondInOrder, webhookReceiverForTest } from '../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../support/webhooks/webhooks.ts'

const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const strict = await serviceForFile()
const guests = await chromiumForFile()

const createLocators = (page: Page) => ({
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  link: (name: string) => page.getByRole('link', { name, exact: true }),
  dialog: (name: string | RegExp) => page.getByRole('dialog', { name }),
})

async function expectAccessible(page: Page): Promise<void> {
  expect(await measureSidewaysOverflow(page)).toBe(0)
  await expectNoAxeFindings(page)
}

const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>'

test('by keyboard: create a webhook, copy its secret, send and view a test, and replay a failure', async () => {
  const receiver = await webhookReceiverForTest({ respond: answer(200, {}, hostile) })
  const { page, pageErrors } = await openAdminApp(guests, service.url, '/webhooks')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { button, link, dialog } = createLocators(page)
  const hand = byKeyboard(page)

  await page.getByText('A webhook calls one of your programs').waitFor()
  await expectAccessible(page)
  await hand.press(link('New webhook'))
  await hand.write(page.getByLabel('Name'), 'My site <b>')
  await hand.write(page.getByLabel('Address'), receiver.url)
  await tabTo(page, page.getByLabel('Photo or video uploaded, replaced'))
  await page.keyboard.press('Space')
  await expectAccessible(page)
  await hand.press(button('Create webhook'))

  await page.getByRole('heading', { level: 1, name: 'My site <b>' }).waitFor()
  const secret = (await page.locator('.webhooks-secret pre').textContent()) ?? ''
  receiver.trust(secret)
  await expectAccessible(page)
  await hand.press(button('Copy secret'))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await hand.press(button("I've saved it"))
  await expect.poll(() => page.getByText(secret).count()).toBe(0)

  await hand.press(button('Send test'))
  const testing = dialog('Send test')
  await hand.press(testing.getByRole('button', { name: 'Send', exact: true }))
  await testing.getByText(/^Response 200 in/).waitFor()
  await expectAccessible(page)
  const [first] = await receiver.receive(1)
  expect(first?.json).toMatchObject({ type: 'photo.uploaded', test: true })

  await hand.press(testing.getByRole('button', { name: 'View details' }))
  const delivery = dialog(/^Delivery \d+$/)
  await delivery.getByText('"type": "photo.uploaded"').waitFor()
  await delivery.getByText(hostile).waitFor()
  await expectAccessible(page)
  await hand.press(delivery.getByRole('button', { name: 'Copy request body' }))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first?.body)
  await page.keyboard.press('Escape')

  receiver.respond = answer(410, {}, 'Nothing here')
  await hand.press(button('Send test'))
  await hand.press(testing.getByRole('button', { name: 'Send', exact: true }))
  await testing.getByText('The receiver responded with 410.').waitFor()
  await page.keyboard.press('Escape')
  await hand.press(page.getByRole('link', { name: /^Failed/ }))
  const rows = page.getByRole('listitem').filter({ hasText: 'photo.uploaded' })
  await expect.poll(() => rows.count()).toBe(1)
  expect(new URL(page.url()).search).toBe('?status=failed')
  await expectAccessible(page)

  receiver.respond = answer(204)
  await hand.press(rows.getByRole('link'))
  await delivery.getByText('Nothing here').waitFor()
  await hand.press(delivery.getByRole('button', { name: 'Resend' }))
  await delivery
    .getByText(/^Response 204 in/)
    .first()
    .waitFor()
  await delivery.getByText('Resend of').waitFor()
  await receiver.receive(3)
  await page.keyboard.press('Escape')

  await hand.press(page.getByRole('main').getByRole('link', { name: 'Webhooks' }))
  const row = page.getByRole('row', { name: /My site <b>/ })
  await row.getByText('Working').waitFor()
  expect(pageErrors).toEqual([])
})

test('an invalid address or custom body is reported at its field, and two clicks create one webhook', async () => {
  const { page, pageErrors } = await openAdminApp(guests, strict.url, '/webhooks/new')
  const { button } = createLocators(page)
  await page.getByLabel('Name').fill('Inside')
  await page.getByLabel('Address').fill('http://127.0.0.1:5678/hook')
  await page.getByLabel('Gallery went live').check()
  await button('Create webhook').click()
  const field = page.getByLabel('Address')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const describedBy = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  expect(await page.locator(`[id="${describedBy[0]}"]`).textContent()).toContain('private network')
  expect(await hasFocus(field)).toBe(true)
  await expectAccessible(page)

  await page.getByRole('heading', { name: 'Request body' }).click()
  await page.getByLabel('Custom body').fill('{"text": "${data.event.event_name"}')
  await page.getByText('Enter a field as words').waitFor()
  await page.getByLabel('Custom body').fill('{"text": "${data.event.event_name}"}')
  await page.getByText('"text": "Ana & Ben"').waitFor()
  await expectAccessible(page)
  await field.fill('https://receiver.example/hook')
  await button('Create webhook').dblclick()
  await page.getByRole('heading', { level: 1, name: 'Inside' }).waitFor()
  expect((await strict.admin.get('/api/admin/webhooks')).body).toHaveLength(1)
  expect(withoutResponses(pageErrors)).toEqual([])
})

test('running deliveries update by themselves, and failed ones can be replayed, some or all', async () => {
  const shown = Promise.withResolvers<void>()
  const receiver = await webhookReceiverForTest({
    respond: (response, delivery) => void shown.promise.then(() => answer(204)(response, delivery)),
  })
  const { id, secret } = await createTestWebhook(service, {
    name: 'Shop',
    url: receiver.url,
    events: ['event.published'],
  })
  receiver.trust(secret)
  const sendTest = () => service.admin.post(`/api/admin/webhooks/${id}/test`, {})
  await sendTest()
  const { page, pageErrors } = await openAdminApp(guests, service.url, `/webhooks/${id}`)
  const { button, dialog } = createLocators(page)
  const rows = page.getByRole('listitem').filter({ hasText: 'event.published' })
  await rows.getByText('Sending').waitFor()
  shown.resolve()
  await rows.getByText('Delivered', { exact: true }).waitFor()

  receiver.respond = respondInOrder(answer(410), answer(410), answer(410), answer(204))
  for (let count = 0; count < 3; count++) await sendTest()
  await receiver.receive(4)
  await page.reload()
  await expect.poll(() => rows.getByText('Failed', { exact: true }).count()).toBe(3)

  await rows.nth(0).getByRole('checkbox').check()
  await button('Resend 1').click()
  await expect.poll(() => rows.getByText('Delivered', { exact: true }).count()).toBe(2)
  await button('Resend failed deliveries').click()
  const replaying = dialog('Resend failed deliveries')
  await replaying.getByText("2 failed deliveries haven't arrived since.").waitFor()
  await expectAccessible(page)
  await replaying.getByRole('button', { name: 'Resend 2' }).click()
  await expect.poll(() => rows.getByText('Delivered', { exact: true }).count()).toBe(4)
  await receiver.receive(7)
  expect(pageErrors).toEqual([])
})

test('on a phone a webhook can be changed, and deleting asks once by name', async () => {
  const { id } = await createTestWebhook(service, {
    name: 'Slack',
    filter: { 'data.event.event_type': ['wedding', 'portrait'] },
    template: '{"text": "${data.event.event_name}"}',
  })
  const queued = await service.admin.post(`/api/admin/webhooks/${id}/test`, {})
  const { page, pageErrors } = await openAdminApp(guests, service.url, '/webhooks', 'phone')
  const { button } = createLocators(page)
  await expectAccessible(page)
  await page.goto(`${service.url}/admin/webhooks/${id}?delivery=${queued.body.delivery_id}`)
  const delivery = page.getByRole('dialog')
  await delivery.getByText(/The host name of the receiver cannot be resolved\. Next attempt/).waitFor()
  await expectAccessible(page)
  await page.goto(`${service.url}/admin/webhooks/${id}?part=edit`)
  expect(await page.getByLabel('Allowed values').inputValue()).toBe('wedding, portrait')
  await page.getByLabel('Allowed values').fill('portrait')
  await button('Save').tap()
  await page.getByText('Webhook saved').waitFor()
  const { body } = await service.admin.get(`/api/admin/webhooks/${id}`)
  expect(body).toMatchObject({ filter: { 'data.event.event_type': 'portrait' }, name: 'Slack' })

  await button('More').tap()
  await page.getByRole('menuitem', { name: 'Delete webhook' }).tap()
  await page.getByRole('alertdialog', { name: 'Delete Slack?' }).getByRole('button', { name: 'Delete webhook' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  expect((await service.admin.get(`/api/admin/webhooks/${id}`)).status).toBe(404)
  await expect.poll(() => page.getByRole('link', { name: 'Slack' }).count()).toBe(0)
  expect(pageErrors).toEqual([])

  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Webhook not found' }).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All webhooks' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
})
