import { expect, test } from 'vitest'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { chromiumForFile, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { mailServerForFile } from '../support/network/mail-server.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' }
const service = await serviceForFile({ environment })
const guests = await chromiumForFile()

test('a guest asks for a mail, and reads at the next visit how many photos are new', async () => {
  const event = await createEvent(service.api, { header_style: 'standard' })
  await uploadPhotos(service.api, event.id, 3)
  await service.api.put(`/api/v1/events/${event.id}/first-look`, { about_count: 80, complete_on: '2099-05-12' })
  const { page, pageErrors } = await guests.open(event.share_url, 'phone')
  await page.getByText('3 of about 80 photos').first().waitFor()
  await page.getByRole('button', { name: 'Tell me when it is complete' }).tap()
  await page.getByRole('textbox', { name: 'Email' }).fill('ana@example.com')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Email me' }).tap()
  await page.getByRole('status').getByText('Confirm your address there.').waitFor()
  await uploadPhotos(service.api, event.id, 2)
  await page.goto(event.share_url)
  await waitForScript(page)
  const notice = page.locator('#first-look')
  await notice.getByText('2 new photos.').waitFor()
  expect(await notice.textContent()).toBe('2 new photos. You get an email when all photos are here.')
  await expectNoAxeFindings(page)
  await page.goto(event.share_url)
  await waitForScript(page)
  await page.getByText('5 of about 80 photos').first().waitFor()
  expect(await notice.getByText('new photo').count()).toBe(0)
  expect(pageErrors).toEqual([])
})
