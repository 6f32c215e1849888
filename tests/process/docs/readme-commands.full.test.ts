import { execFile } from 'node:child_process'
import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readBlock } from '../../support/docs/snippets.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { startByNpm } from '../../support/service/service-process.ts'

const root = join(import.meta.dirname, '../../..')

test('npm start without configuration, then the commands of the README unchanged', async () => {
  const folder = await temporaryFolder()
  symlinkSync(join(root, 'docs'), join(folder, 'docs'))
  const service = await startByNpm({ dataDir: join(folder, 'data') })
  try {
    const [, password] = /First sign-in: admin \/ (\S+)/.exec(service.output()) ?? []
    const commands = readBlock('readme-walk').replace('http://localhost:3000', service.url)
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env: { ...process.env, FIRST_PASSWORD: password },
    })

    const { mode } = statSync(join(folder, 'data/proofroom.db'))
    expect(mode & 0o077).toBe(0)
    const shareUrl = stdout.trim().split('\n').at(-1) ?? ''
    expect(shareUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/gallery\/wedding-ana-and-ben-/)
    const page = await fetch(shareUrl)
    expect(page.status).toBe(200)
    const html = await page.text()
    const [, thumbnail = ''] = /<img src="([^"]+)"/.exec(html) ?? []
    const cookie = page.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
    const picture = await fetch(service.url + thumbnail, { headers: { cookie: cookie.join('; ') } })
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
  } finally {
    await service.end('SIGTERM')
  }
  expect(service.output()).not.toContain('"level":50')
})
