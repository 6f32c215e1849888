import { expect, test } from 'vitest'
import { openAdminApp } from '../support/browser/admin-page.ts'
import { createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile, waitForHistory, waitForScript } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const browsers = await chromiumForFile()

test.each(['phone', 'desktop'] as const)(
  'a client on a %s asks for changes, a retouched file is dropped, both versions are compared, and all is approved',
  async (device) => {
    const event = await createEvent(service.api, { keep_versions: true })
    const { body: photo } = await service.api.upload(event.id, await jpeg({ seed: 1, width: 900, height: 600 }), {
      name: 'DSC_0001.jpg',
    })
    const { page } = await browsers.open(`${event.share_url}?photo=${photo.id}`, device)
    await waitForScript(page, true)
    const viewer = page.getByRole('dialog', { name: 'Photo viewer' })
    const sheet = page.locator('dialog[open]')
    const press = (name: string) => viewer.getByRole('button', { name, exact: true }).click()
    await press('Approve…')
    await press('Changes wanted')
    await page.getByLabel('Name', { exact: true }).fill('Ana')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await sheet.getByLabel('What should be changed?').fill('Please remove the sign')
    await sheet.getByRole('button', { name: 'Send' }).click()
    await page.locator('.notices').getByText('what you want changed').waitFor()

    const { page: laptop } = await openAdminApp(browsers, service.url, `/events/${event.id}/todo`)
    await laptop.getByText('Please remove the sign').waitFor()
    await laptop.goto(`${service.url}/admin/events/${event.id}`)
    await laptop.getByRole('gridcell', { name: /Changes wanted/ }).waitFor()
    const retouched = await jpeg({ seed: 2, width: 900, height: 600 })
    await dropFiles(laptop, [await createFolderOnDisk('Retouched', { 'DSC_0001.jpg': retouched })])
    const uploads = laptop.getByRole('region', { name: 'Uploads' })
    await uploads.getByRole('button', { name: 'Add as new version' }).click()
    await uploads.getByText('1 new version').waitFor()
    await laptop.getByRole('link', { name: '0 of 1 approved' }).waitFor()

    await press('Close')
    await waitForHistory(page)
    await page.locator(`[data-photo="${photo.id}"]`).click()
    await press('Version 2 of 2')
    await sheet.getByRole('button', { name: 'Compare with version 2' }).click()
    const compared = page.getByRole('dialog', { name: 'Compare' })
    await compared.getByRole('button', { name: 'Zoom in' }).click()
    const views = () =>
      compared
        .locator('.compare-picture')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).style.transform))
    await expect.poll(views).toEqual([expect.stringContaining('scale(1.5)'), expect.stringContaining('scale(1.5)')])
    expect(new Set(await views()).size).toBe(1)
    await compared.getByRole('button', { name: 'Close' }).click()
    if (device === 'phone') await press('Approve…')
    await press('Approve')
    await laptop.getByRole('link', { name: '1 of 1 approved' }).waitFor()
  },
)
