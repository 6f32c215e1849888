import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runProofroom } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()

describe('proofroom share', () => {
  test('prints the link of an event that shows the pictures of the folder', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'one.jpg'), await jpeg({ seed: 1 }))
    await writeFile(join(folder, 'notes.txt'), 'no picture')
    const { stdout } = await runProofroom(service, ['share', folder, '--name', 'Ana & Ben'])
    expect(stdout).toContain('1 of 1 photos shared.')
    expect(stdout).toContain('Skipped files: notes.txt')
    const [, path = ''] = /(\/gallery\/\S+)/.exec(stdout) ?? []
    expect((await service.anonymous.get(path)).bytes.toString()).toContain('/thumbnail/')
  })

  test('names rejected files and fails', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'good.jpg'), await jpeg({ seed: 2 }))
    await writeFile(join(folder, 'broken.jpg'), 'not a picture at all')
    const failed = await runProofroom(service, ['share', folder, '--name', 'Ana & Ben']).catch((error) => error)
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('1 of 2 photos shared.\n  broken.jpg: ')])
  })

  test('finishes its work when nobody reads its output any more', async () => {
    const [folder, DATA_DIR] = [await temporaryFolder(), await createCompiledDataDir()]
    await writeFile(join(folder, 'one.jpg'), await jpeg({ seed: 3 }))
    const script = `"${process.execPath}" bin/proofroom.js share "${folder}" --name Ana | true; echo "\${PIPESTATUS[0]}"`
    const env = { DATA_DIR, PATH: process.env.PATH, PORT: '0' }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { env })
    expect([stdout, stderr]).toEqual(['0\n', `Creating new data in ${DATA_DIR}.\n`])
  })
})

test('an unknown command is reported', async () => {
  const failed = await runProofroom(service, ['shaer', 'folder']).catch((error) => error)
  expect([failed.code, failed.stderr]).toEqual([2, 'Unknown command "shaer". See proofroom --help.\n'])
})
