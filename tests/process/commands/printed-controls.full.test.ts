import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../../support/media/pictures.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { createCompiledDataDir, runToEnd } from '../../support/service/proofroom-command.ts'

const escapes = '\u001b]0;owned\u0007\u001b[2J\u202egpj'
const raw = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u

test('names of files reach the terminal with visible escapes', async () => {
  const folder = join(await temporaryFolder(), 'photos')
  await mkdir(folder)
  await writeFile(join(folder, 'good.jpg'), await jpeg())
  await writeFile(join(folder, `a${escapes}\nOK.jpg`), 'no picture')
  await writeFile(join(folder, `notes${escapes}`), 'no picture')
  const { stdout, stderr } = await runToEnd(['share', folder, '--name', 'Ana', '--yes'], {
    DATA_DIR: await createCompiledDataDir(),
  })
  expect(stdout + stderr).not.toMatch(raw)
  expect(stdout).toContain('a\\x1b]0;owned\\x07\\x1b[2J\\u202egpj\\x0aOK.jpg: ')
  expect(stdout).toContain('notes\\x1b]0;owned')
})

test('answers of a service reach the terminal with visible escapes', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: `No${escapes}\nReally`, code: 'FORBIDDEN' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { code, stdout, stderr } = await runToEnd(['sync', '1', await temporaryFolder()], {
    PROOFROOM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PROOFROOM_TOKEN: 'prf_live_0123456789abcdef0123456789abcdef',
  })
  expect(code).toBe(1)
  expect(stdout + stderr).not.toMatch(raw)
  expect(stderr).toBe('No\\x1b]0;owned\\x07\\x1b[2J\\u202egpj\\x0aReally\n')
})
