import { expect, test } from 'vitest'
import { adminAppForFile } from '../support/browser/admin-page.ts'
import { adminPages, fillAdminPages } from '../support/browser/every-admin-page.ts'
import { measureSidewaysOverflow } from '../support/browser/guest-page.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const adminApp = await adminAppForFile(service)
const getAddress = await fillAdminPages(service)

test('every page opens on a phone without an error, and is no wider than the window', async () => {
  const paths = [...adminPages]
  const visitRest = async () => {
    const { page, visit, pageErrors } = await adminApp.open(null, { device: 'phone' })
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      await visit(getAddress(path))
      expect([path, await measureSidewaysOverflow(page), pageErrors]).toEqual([path, 0, []])
    }
  }
  // A page mostly waits, so three windows at once take less time.
  await Promise.all([visitRest(), visitRest(), visitRest()])
})
