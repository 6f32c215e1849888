import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { runBeside } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { api, admin } = service
const count = 300
const changedCount = 30
const nameOf = (index: number) => `DSC_${String(index).padStart(4, '0')}.JPG`

type Photo = { id: number; source_filename: string; content_hash: string }

const listPhotos = ({ id }: TestEvent): Photo[] =>
  readDatabase(service, (stored) =>
    stored
      .prepare<[number], Photo>('select id, source_filename, content_hash from photos where event_id = ? order by id')
      .all(id),
  )

/** A folder with 300 photos, and the same folder after 30 of them were retouched. */
async function createFolders(): Promise<{ first: string; second: string }> {
  const [first, second] = [join(await temporaryFolder(), 'first'), join(await temporaryFolder(), 'second')]
  for (const folder of [first, second]) await mkdir(folder)
  for (let index = 0; index < count; index++) {
    const size = { width: 20 + (index % 100), height: 20 + Math.floor(index / 100) }
    const bytes = await jpeg(size)
    await writeFile(join(first, nameOf(index)), bytes)
    const isChanged = index % 10 === 0
    await writeFile(join(second, nameOf(index)), isChanged ? await jpeg({ ...size, seed: 9 }) : bytes)
  }
  return { first, second }
}

const { body } = await admin.post('/api/admin/api-tokens', { name: 'share', scopes: ['write'] })
const environment = { PROOFROOM_URL: service.url, PROOFROOM_TOKEN: body.token }
const commands = {
  'proofroom import': { args: ['import'], environment: {} },
  'proofroom share, on the data': { args: ['share'], environment: {} },
  'proofroom share, through the service': { args: ['share'], environment },
}

test.each(Object.entries(commands))(
  '%s does what --same-name says, also when it was killed and runs again',
  async (_, command) => {
    const { first, second } = await createFolders()
    for (const choice of ['replace', 'version', 'add', 'skip'] as const) {
      const event = await createEvent(api, { keep_versions: choice === 'version' })
      const imported = await runBeside(service, ['import', '--event', event.slug, first])
      expect(imported.stdout).toContain(`${count} imported`)
      const before = listPhotos(event)

      const args = [...command.args, second, '--event', event.slug, '--same-name', choice]
      const isChanged = ({ id, content_hash }: Photo, photos: Photo[]) =>
        photos.find((photo) => photo.id === id)?.content_hash !== content_hash
      // Kills the command before, in or after its work, as slow as the machine is.
      await runBeside(service, args, command.environment, { killAfterMs: 1_000 + Math.floor(Math.random() * 3_000) })
      const { code, stdout, stderr } = await runBeside(service, args, command.environment)
      expect(code, stdout + stderr).toBe(0)

      const after = listPhotos(event)
      expect(after).toHaveLength(choice === 'add' ? count + changedCount : count)
      expect(before.filter((photo) => isChanged(photo, after))).toHaveLength(
        choice === 'replace' || choice === 'version' ? changedCount : 0,
      )
      expect((await runBeside(service, args, command.environment)).code).toBe(0)
      expect(listPhotos(event)).toEqual(after)
    }
  },
  600_000,
)
