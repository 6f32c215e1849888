import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeFilesOfDeletedEvents, removeFoldersOfDeletedEvents } from '../../../server/events/delete-event.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { isOnS3 } from '../../support/service/back-ends.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { getPathOnDisk, listStoredFiles } from '../../support/storage/stored-files.ts'

test('files that cannot be removed do not change the response, and are deleted by the next run', async () => {
  const undeletablePrefixes = new Set<string>()
  const service = await serviceForTest({
    edges: {
      wrapStorage: (storage) => ({
        ...storage,
        async removePrefix(prefix) {
          if (undeletablePrefixes.has(prefix))
            throw Object.assign(new Error('directory not empty'), { code: 'ENOTEMPTY' })
          await storage.removePrefix(prefix)
        },
      }),
    },
  })
  const [first, second] = [await createEvent(service.api), await createEvent(service.api)]
  for (const { id } of [first, second]) await uploadPhotos(service.api, id, 1)
  undeletablePrefixes.add(`events/${first.id}`)
  const path = `/api/v1/events/${first.id}`
  const answer = await service.api.delete(path)
  expect([answer.status, answer.body]).toEqual([200, { id: first.id, deleted: true }])
  expectProblem(await service.api.get(path), 404, 'NOT_FOUND')
  expect((await service.api.delete(`/api/v1/events/${second.id}`)).status).toBe(200)
  const left = await listStoredFiles(service)
  expect(left).toHaveLength(2)
  for (const file of left) expect(file).toMatch(new RegExp(`^files/events/${first.id}/`))

  undeletablePrefixes.clear()
  await withAppContext(service, removeFilesOfDeletedEvents)
  expect(await listStoredFiles(service)).toEqual([])
})

// An object store has no folders.
if (!isOnS3) {
  test('only empty folders of deleted events are removed', async () => {
    const service = await serviceForTest()
    const { id } = await createEvent(service.api)
    const media = getPathOnDisk(service, '')
    const listFolders = async (root: string) => (await readdir(join(media, root, 'events'))).sort()
    for (const folder of [`files/events/${id}/originals`, 'files/events/900/originals', 'files/events/901/originals']) {
      await mkdir(join(media, folder), { recursive: true })
    }
    for (const folder of [`parted/events/${id}`, 'parted/events/902', 'parted/events/903', 'files/events/odd name']) {
      await mkdir(join(media, folder), { recursive: true })
    }
    await writeFile(join(media, 'files/events/901/originals/a.jpg'), 'a')
    await writeFile(join(media, 'parted/events/903/a'), 'a')

    await withAppContext(service, removeFoldersOfDeletedEvents)
    expect(await listFolders('files')).toEqual([`${id}`, '901', 'odd name'].sort())
    expect(await listFolders('parted')).toEqual([`${id}`, '903'].sort())
    expect(await listStoredFiles(service)).toEqual(['files/events/901/originals/a.jpg', 'parted/events/903/a'])
  })
}
