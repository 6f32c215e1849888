import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildServerIfStale } from '../../tools/build-server.ts'
import { buildWebIfStale } from '../../tools/build-web.ts'
import { describeMaterials } from '../../tools/packaging/bill-of-materials.ts'
import { type Component, listComponents } from '../../tools/packaging/components.ts'
import { findGpl } from '../../tools/packaging/find-gpl.ts'
import { describeLicenses, findForbidden } from '../../tools/packaging/licenses.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'

let components: Component[]

beforeAll(async () => {
  await Promise.all([buildServerIfStale(), buildWebIfStale()])
  components = listComponents()
})

const npm = (name: string, license: string, source: string | null = 'https://example.org'): Component => ({
  kind: 'npm',
  name,
  version: '1.0.0',
  license,
  source,
  text: '',
})

describe('the list of licenses', () => {
  test('has what is bundled, what npm installs, libraries in native code, and the font', () => {
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'preact', 'sharp', '@sindresorhus/slugify']))
    expect(names).toEqual(expect.arrayContaining(['FFmpeg', 'dav1d', 'SQLite', 'vips', 'Open Sans SemiBold']))
    expect(names).not.toContain('vitest')
    expect(names).not.toContain('node')
  })

  test('does not give a native package the text of another license', () => {
    const native = components.filter(({ name }) => /^@node-webcodecs\/|sharp-libvips/.test(name))
    expect(native.length).toBeGreaterThan(10)
    expect(native.filter(({ text }) => text !== '')).toEqual([])
  })

  test('has the text of each license', () => {
    const text = describeLicenses(components)
    expect(text).toContain('fastify 5.')
    expect(text).toContain('GNU GENERAL PUBLIC LICENSE')
    expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect(text).not.toContain('See https://spdx.org/')
  })
})

test('a license is allowed if the list has it; the GPL is not, and the LGPL needs a link to the source', () => {
  expect(findForbidden(components)).toEqual([])
  const allowed = [npm('a', 'MIT'), npm('b', 'GPL-3.0-or-later OR MIT'), npm('f', 'LGPL-2.1-or-later')]
  const forbidden = [
    npm('c', 'GPL-3.0-or-later'),
    npm('d', 'MIT AND AGPL-3.0-only'),
    npm('e', 'BUSL-1.1'),
    npm('g', 'MIT AND LGPL-2.1-or-later', null),
  ]
  expect(findForbidden([...allowed, ...forbidden])).toEqual(forbidden)
})

test('the text of the GPL, and FFmpeg built with its parts, are found in a package', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'lib'))
  const files = {
    'COPYING.txt': '                    GNU GENERAL PUBLIC LICENSE\n                       Version 3',
    'lib/libavcodec.so.61.2': '\0--prefix=/usr --enable-gpl --enable-libx264\0',
    'LICENSE.md': '                  GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 2.1',
    'NOTICE.txt': 'GNU GENERAL PUBLIC LICENSE\r\nVersion 2',
    'lib/other.node': '\0--disable-everything\0',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const found = findGpl([folder, join(folder, 'missing')])
  expect(found.sort()).toEqual(
    ['COPYING.txt', 'NOTICE.txt', 'lib/libavcodec.so.61.2'].map((name) => join(folder, name)),
  )
})

test('the bill of materials is valid CycloneDX, and the same each time', async () => {
  const materials = describeMaterials('1.2.3', components)
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(materials)).toBeNull()
  expect(describeMaterials('1.2.3', components)).toBe(materials)
  expect(materials).toContain('pkg:npm/%40aws-sdk/client-s3@')
})
