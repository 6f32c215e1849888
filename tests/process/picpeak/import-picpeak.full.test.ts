import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../support/clients/test-client.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { makePicPeak, picpeakToken, shareTokens, writeInto } from '../../support/picpeak/picpeak-installation.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { createCompiledDataDir, killWhen, runToEnd } from '../../support/service/proofroom-command.ts'
import { startByNode } from '../../support/service/service-process.ts'

const photoCount = 60
const kills = 2

/** Returns the number of stored originals; 0 before there is a data folder. */
async function countOriginals(dataDir: string): Promise<number> {
  const files = await readdir(join(dataDir, 'media'), { recursive: true }).catch(() => [])
  return files.filter((path) => path.includes('/originals/')).length
}

test('proofroom import picpeak, killed and repeated, moves an installation whose people keep their access', {
  tags: 'nightly',
}, async () => {
  const photos = Array.from({ length: photoCount }, (_, index) => {
    const [id, filename] = [100 + index, `${100 + index}.jpg`]
    return { id, event_id: 6, filename, path: `birthday-lena/${filename}`, visibility: 'visible' }
  })
  const picpeak = await makePicPeak((rows) => void rows.photos?.push(...photos))
  for (const { id, path } of photos) {
    const bytes = await jpeg({ seed: id, width: 400, height: 200 + id })
    await writeInto(join(picpeak.storage, 'events/active', path), bytes)
  }
  const TMPDIR = await temporaryFolder()
  const looked = await runToEnd(['import', 'picpeak', picpeak.folder, '--dry-run'], {
    DATA_DIR: join(TMPDIR, 'data'),
    TMPDIR,
  })
  expect(looked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing was changed.*photos +66 +66$/ms) })
  expect(looked.stdout).toContain('  picpeak (studio@example.com): super_admin\n')
  expect(looked.stdout).toContain('  Lightroom of picpeak (super_admin): write\n')
  expect([looked.stderr, await readdir(TMPDIR)]).toEqual(['', []])

  const dataDir = await createCompiledDataDir()
  for (let kill = 1; kill <= kills; kill++) {
    const imported = await countOriginals(dataDir)
    const args = ['import', 'picpeak', picpeak.folder]
    await killWhen(args, { DATA_DIR: dataDir }, async () => (await countOriginals(dataDir)) >= imported + 5)
  }

  const moved = await runToEnd(['import', 'picpeak', picpeak.folder, '--json'], { DATA_DIR: dataDir })
  expect([moved.code, moved.stderr]).toEqual([0, ''])
  const { counts } = JSON.parse(moved.stdout)
  expect(counts).toContainEqual({ kind: 'photos', source: 6 + photoCount, moved: 6 + photoCount })
  const again = await runToEnd(['import', 'picpeak', picpeak.folder], { DATA_DIR: dataDir })
  expect(again.code).toBe(0)
  expect(again.stdout).toMatch(/^In PicPeak, and here:\n(.*\n)* {2}photos +66 +66\n/)

  const service = await startByNode({ dataDir, environment: { RATE_LIMIT: 'off' } })
  onTestFinished(() => service.end('SIGKILL'))
  const anonymous = createClient(service.url)
  const password = 'Velvet-Harbor-26'
  const signedIn = await anonymous.post('/api/auth/admin/login', { username: 'picpeak', password })
  expect(signedIn.status).toBe(200)
  const { body } = await createClient(service.url, picpeakToken).get('/api/v1/events/6/photos?limit=100')
  expect(body.photos).toHaveLength(2 + photoCount)
  const open = await anonymous.get(`/gallery/birthday-lena/${shareTokens.birthday}`)
  expect(open.status).toBe(200)
  const wedding = { slug: 'wedding-ana-ben', password, share_token: shareTokens.wedding }
  const entered = await anonymous.post('/api/auth/gallery/verify', wedding)
  expect(entered.status).toBe(200)
  const guest = createClient(service.url, entered.body.token)
  const seen = await guest.get('/api/gallery/wedding-ana-ben/photos')
  expect(seen.body.photos.map(({ id }: { id: number }) => id).sort()).toEqual([1, 2])
})

test('--accounts none creates the first account of a new instance, and brings none', { tags: 'nightly' }, async () => {
  const { folder } = await makePicPeak()
  const environment = { DATA_DIR: join(await temporaryFolder(), 'data') }
  const { code, stdout } = await runToEnd(['import', 'picpeak', folder, '--accounts', 'none'], environment)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^First sign-in: admin /m)
  expect(stdout).toContain('  admin_users (2): Left out by --accounts none.\n')
})

test('refuses what is no PicPeak installation, and changes nothing', async () => {
  const dataDir = await createCompiledDataDir()
  const { code, stderr } = await runToEnd(['import', 'picpeak', dataDir], { DATA_DIR: dataDir })
  expect(code).toBe(2)
  expect(stderr).toContain('has no database of PicPeak')
})
