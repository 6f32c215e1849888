import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildServerIfStale } from '../../tools/build-server.ts'
import { buildWebIfStale } from '../../tools/build-web.ts'
import { describeMaterials } from '../../tools/packaging/bill-of-materials.ts'
import { type Component, listComponents } from '../../tools/packaging/components.ts'
import { describeLicenses, findForbidden } from '../../tools/packaging/licenses.ts'

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
    expect(names).toEqual(expect.arrayContaining(['FFmpeg', 'x264', 'SQLite', 'vips', 'Open Sans SemiBold']))
    expect(names).not.toContain('vitest')
    expect(names).not.toContain('node')
  })

  test('does not give a native package the text of another license', () => {
    const native = components.filter(({ name }) => /^@napi-rs\/webcodecs-|sharp-libvips/.test(name))
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

test('a license is allowed if the list has it; GPL is allowed in the video worker only, with a link to the source', () => {
  expect(findForbidden(components)).toEqual([])
  const allowed = [
    npm('a', 'MIT'),
    npm('b', 'GPL-3.0-or-later OR MIT'),
    npm('@napi-rs/webcodecs-x', 'GPL-3.0-or-later'),
  ]
  const forbidden = [
    npm('c', 'GPL-3.0-or-later'),
    npm('d', 'MIT AND AGPL-3.0-only'),
    npm('e', 'BUSL-1.1'),
    npm('@napi-rs/webcodecs-y', 'GPL-3.0-or-later', null),
  ]
  expect(findForbidden([...allowed, ...forbidden])).toEqual(forbidden)
})

test('the bill of materials is valid CycloneDX, and the same each time', async () => {
  const materials = describeMaterials('1.2.3', components)
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(materials)).toBeNull()
  expect(describeMaterials('1.2.3', components)).toBe(materials)
  expect(materials).toContain('pkg:npm/%40aws-sdk/client-s3@')
})
