import { expect, test } from 'vitest'
import { adminAppForFile, notice } from '../support/browser/admin-page.ts'
import { expectNoAxeFindings } from '../support/browser/axe.ts'
import { createFilesOnDisk, createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { createEvent, enterAsGuest } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { serviceForFile } from '../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
await createTestWebhook(service)

const names = ['DSC_0001.jpg', 'DSC_0002.jpg'] as const

/** Two photos, each with a pin of Ana. */
async function createGallery(body: object) {
  const event = await createEvent(service.api, { allow_annotations: true, ...body })
  const ids: number[] = []
  for (const [seed, name] of names.entries()) {
    ids.push((await service.api.upload(event.id, await jpeg({ seed }), { name })).body.id)
  }
  const [ana, ben] = [await enterAsGuest(service, event), await enterAsGuest(service, event)]
  const photo = (id: number | undefined) => `/api/gallery/${event.slug}/photos/${id}`
  const pin = { kind: 'pin', x: 100_000, y: 900_000, guest_name: 'Ana' }
  for (const id of ids) await ana.post(`${photo(id)}/threads`, { ...pin, text: 'Brighter here' })
  const decide = async (guest: typeof ana, id: number | undefined, version: number, decision: string) => {
    const guest_name = guest === ana ? 'Ana' : 'Ben'
    const reply = await guest.put(`${photo(id)}/versions/${version}/decision`, { decision, guest_name })
    expect(reply.status).toBe(200)
  }
  return { event, ids, ana, ben, decide, path: `/events/${event.id}` }
}

test('retouched files become versions, and operators see what guests decide about them', async () => {
  const { event, ids, ana, ben, decide, path } = await createGallery({ keep_versions: true })
  const [first, second] = ids
  const { page, visit, pageErrors } = await adminApp.open(path)
  const panel = page.getByRole('region', { name: 'Uploads' })
  const retouched = { [names[0]]: await jpeg({ seed: 11 }), [names[1]]: await jpeg({ seed: 12, width: 40 }) }
  await dropFiles(page, [await createFolderOnDisk('Retouched', retouched)])
  await panel.getByText('their earlier files stay as versions').waitFor()
  await panel.getByRole('button', { name: 'Add as new versions' }).click()
  await panel.getByText('2 new versions').waitFor()
  await panel.getByRole('button', { name: 'Return to the earlier versions of 2 photos' }).waitFor()
  const announced = listAnnouncedOf(service, event.id).map(({ data }) => data.photo?.version)
  expect(announced.filter((version) => version === 2)).toHaveLength(2)
  await panel.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: '0 of 2 approved' }).waitFor()

  await decide(ana, first, 2, 'approved')
  await page.getByRole('link', { name: '1 of 2 approved' }).waitFor()
  await decide(ben, second, 2, 'changes_wanted')
  await page.getByRole('link', { name: 'Changes wanted: 1' }).click()
  const tile = page.getByRole('gridcell', { name: `${names[1]}, Changes wanted` })
  await tile.waitFor()
  await expect.poll(() => page.getByRole('gridcell').count()).toBe(1)
  expect(page.url()).toContain('decision=changes_wanted')
  await page.getByRole('button', { name: 'Filters 1' }).click()
  const approval = page.getByRole('group', { name: 'Approval' })
  expect(await approval.getByRole('button', { pressed: true }).allTextContents()).toEqual(['Changes wanted'])
  await approval.getByRole('button', { name: 'Approved', exact: true }).click()
  await page.getByRole('gridcell', { name: `${names[0]}, Cover, Approved` }).waitFor()
  await expectNoAxeFindings(page)

  // A pin is drawn on a later version of the same shape only.
  const open = (id: number | undefined) => page.goto(`${service.url}/admin${path}?photo=${id}`)
  await open(first)
  const viewer = page.getByRole('dialog')
  await viewer.getByRole('link', { name: '1: Brighter here (from version 1)' }).waitFor()
  await open(second)
  await viewer.getByRole('button', { name: 'Details' }).click()
  const version = (number: number) => viewer.locator('.photo-version', { hasText: `Version ${number}` })
  await version(2).getByText('Ben: Changes wanted').waitFor()
  expect(await viewer.getByRole('link', { name: /Brighter here/ }).count()).toBe(0)
  await version(1).getByRole('button', { name: 'View' }).click()
  await viewer.getByRole('link', { name: '1: Brighter here', exact: true }).waitFor()
  const shown = viewer.locator('.viewer-sheet img[src*="version=1"]')
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(60)
  await expectNoAxeFindings(page)
  await viewer.getByRole('button', { name: 'Show the current version' }).click()
  await shown.waitFor({ state: 'detached' })

  await viewer.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add new version…' }).click()
  const dialog = page.getByRole('dialog', { name: `New version of “${names[1]}”` })
  await dialog.getByLabel('New file').setInputFiles(await createFilesOnDisk({ 'Final.jpg': await jpeg({ seed: 13 }) }))
  await dialog.getByLabel('What has changed (optional)').fill('Sign removed')
  await dialog.getByRole('button', { name: 'Add as new version' }).click()
  await version(3).getByText('Sign removed').waitFor()
  await viewer.getByText('Waiting for a guest').waitFor()

  await version(2).getByRole('button', { name: 'Delete this version' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete this version' }).click()
  await version(2).getByText('File deleted').waitFor()
  await version(1).getByRole('button', { name: 'Use this file again' }).click()
  await version(4).getByText('Current').waitFor()

  await visit(`${path}/edit#versions`)
  const totals = `/api/admin/events/${event.id}/versions`
  expect((await service.admin.get(totals)).body).toMatchObject({ count: 3 })
  await page.getByText('In addition, 3 earlier versions need').waitFor()
  await page.getByRole('button', { name: 'Delete all earlier versions' }).click()
  await page.getByRole('alertdialog').getByText('3 earlier versions (').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete all earlier versions' }).click()
  await notice(page, '3 earlier versions deleted.').waitFor()
  expect((await service.admin.get(totals)).body).toMatchObject({ count: 0 })
  await visit(`${path}/picks`)
  await decide(ana, second, 4, 'approved_with_changes')
  await page.locator('.live-last').getByText('All 2 photos are approved').waitFor()
  await page.getByRole('link', { name: 'All 2 approved' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('other events request nothing about versions', async () => {
  const { ids, path } = await createGallery({})
  const { page, visit } = await adminApp.open(null)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${service.url}/admin${path}?photo=${ids[0]}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Details' }).click()
  await page.getByRole('dialog').getByRole('link', { name: '1: Brighter here', exact: true }).waitFor()
  await visit(`${path}/edit`)
  expect(requests.filter((path) => /decisions$|versions|version-list|review-line/.test(path))).toEqual([])
  await visit(path)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('group', { name: 'Status' }).waitFor()
  expect(await page.getByRole('group', { name: 'Approval' }).count()).toBe(0)
})
