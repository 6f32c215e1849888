import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../tools/chromium.ts'
import { signIn } from '../../support/fixtures/accounts.ts'
import { invite } from '../../support/fixtures/people.ts'
import { serviceForTest } from '../../support/service/test-service.ts'

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

test('an invited person chooses a password on a phone, without script, and signs in', async () => {
  const service = await serviceForTest()
  const { token, username } = await invite(service.admin)
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ ...phone, locale: 'en', javaScriptEnabled: false })
  const pageErrors: string[] = []
  context.on('console', (message) => {
    const isRejectedForm = message.text().includes('400')
    if (!isRejectedForm && message.type() !== 'info') pageErrors.push(message.text())
  })
  const page = await context.newPage()
  const choose = async (password: string, again: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat password').fill(again)
    await page.getByRole('button', { name: 'Save password' }).tap()
  }

  await page.goto(`${service.url}/invite/${token}`)
  await page.getByText(`For the account ${username}.`).waitFor()
  await choose('chosen by myself', 'chosen by mistake')
  await page.getByText('The passwords do not match.').waitFor()
  await choose('chosen by myself', 'chosen by myself')
  await page.getByText(`You can now sign in as ${username}.`).waitFor()
  expect((await signIn(service, username, 'chosen by myself')).status).toBe(200)

  await page.goto(`${service.url}/invite/${token}`)
  await page.getByText('This link is no longer valid').waitFor()
  expect(pageErrors.filter((text) => !text.includes('404'))).toEqual([])
})
