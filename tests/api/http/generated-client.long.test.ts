import { execFile } from 'node:child_process'
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { jpeg } from '../../support/media/pictures.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { sharedService } from '../../support/service/test-service.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const service = await sharedService()
const getDescription = async () => (await service.anonymous.get('/api/openapi.json')).body

async function createClientFolder(description: object): Promise<string> {
  const folder = await temporaryFolder()
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(description))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await copyFile(join(root, 'tests/support/clients/generated-client.ts'), join(folder, 'client.ts'))
  const command = ['node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'proofroom.ts']
  const { stderr } = await run(process.execPath, command, { cwd: folder })
  expect(stderr).toBe('')
  return folder
}

async function getCompilerErrors(folder: string, files = ['client.ts']): Promise<string> {
  const compilerOptions = { composite: false, emitDeclarationOnly: false, noEmit: true, lib: ['ES2024', 'DOM'] }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return run(process.execPath, [compiler, '--project', folder]).then(
    () => '',
    ({ stdout }) => stdout,
  )
}

describe('a client generated from /api/openapi.json', () => {
  test('is generated without a warning, compiles and does the main job', async () => {
    const folder = await createClientFolder(await getDescription())
    expect(await getCompilerErrors(folder)).toBe('')

    const picture = join(folder, 'picture.jpg')
    await writeFile(picture, await jpeg())
    const program = [join(folder, 'client.ts'), service.url, service.api.token ?? '', picture]
    const { stdout } = await run(process.execPath, program)
    expect(JSON.parse(stdout)).toEqual({
      marks: [['DSC_0001.jpg', null, 0]],
      welcome: 'Here they are',
      isDraft: [true, false],
      isSameLink: true,
      downloaded: [true, true],
      refused: 'ALREADY_PUBLISHED',
      deleted: { id: expect.any(Number), deleted: true },
    })
  })

  test('is generated from the other descriptions too', { tags: 'nightly' }, async () => {
    for (const path of ['/api/gallery/openapi.json', '/api/admin/openapi.json']) {
      const folder = await createClientFolder((await service.admin.get(path)).body)
      expect(await getCompilerErrors(folder, ['proofroom.ts']), path).toBe('')
    }
  })

  test('compiles as shown in the integration guide, but not without a field that it uses', {
    tags: 'nightly',
  }, async () => {
    const guide = await readFile(join(root, 'docs/integrating/openapi-client.md'), 'utf8')
    const [, program = ''] = /```ts\n(\/\/ client\.mts.*?)```/s.exec(guide) ?? []
    expect(program).toContain('proofroom')
    const description = await getDescription()
    const folder = await createClientFolder(description)
    await writeFile(join(folder, 'guide.ts'), program.replace('proofroom.d.ts', 'proofroom.ts'))
    expect(await getCompilerErrors(folder, ['guide.ts'])).toBe('')
    delete description.components.schemas.ShareLink.properties.share_url
    const missing = "Property 'share_url' does not exist"
    expect(await getCompilerErrors(await createClientFolder(description))).toContain(missing)
  })
})
