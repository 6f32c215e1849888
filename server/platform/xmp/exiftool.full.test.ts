import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sidecarEncodings, sidecarForms } from '../../../tests/support/media/sidecar-forms.ts'
import { requireOrSkip, requireProgram } from '../../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { mergeXmp } from './merge-xmp.ts'

const change = {
  rating: 4,
  label: { text: 'グリーン & more', color: 'green' },
  identity: 'instance/1/2',
  synced: '4 green',
  notes: 'Ana: brighten, "please"',
  keywords: ['Proofroom: picked by Ana'],
} as const

type Tags = Record<string, unknown>

function readTags(folder: string): Tags[] {
  const tags = ['-validate', '-warning', '-xmp:all']
  const { stdout } = spawnSync('exiftool', ['-json', '-a', '-fileOrder', 'FileName', ...tags, folder])
  return JSON.parse(stdout.toString())
}

test('exiftool reads merged sidecars of all programs, with no other warnings than before', async ({ skip }) => {
  requireOrSkip(skip, [requireProgram('exiftool')])
  const folder = await temporaryFolder()
  const [originals, merged] = [join(folder, 'originals'), join(folder, 'merged')]
  await Promise.all([mkdir(originals), mkdir(merged)])
  for (const [program, form] of Object.entries(sidecarForms)) {
    for (const [encoding, encode] of Object.entries(sidecarEncodings)) {
      for (const label of ['Red', null]) {
        const name = `${program} ${encoding} ${label}.xmp`
        const bytes = encode(form({ rating: label && '1', label }))
        await writeFile(join(originals, name), bytes)
        await writeFile(join(merged, name), mergeXmp(bytes, change))
      }
    }
  }
  const before = readTags(originals)
  const after = readTags(merged)
  expect(after).toHaveLength(80)
  for (const [index, tags] of after.entries()) {
    const name = String(tags.SourceFile)
    const { Label, Rating, Subject, Validate, Warning, SourceFile, ...others } = before[index] ?? {}
    // It guesses the encoding of UTF-16 without the byte order mark in a packet, and finds nothing in some of these files.
    if (/(lightroom|oldAdobe) utf-16/.test(name)) continue
    expect(tags, name).toMatchObject({ ...others, Rating: 4, Label: 'グリーン & more', Photo: 'instance/1/2' })
    expect(tags.Instructions).toBe('[Proofroom]\nAna: brighten, "please"\n[/Proofroom]')
    expect([tags.Subject].flat()).toContain('Proofroom: picked by Ana')
    expect(tags.Validate, name).toBe(Validate)
    // exiftool reports a byte order mark before the packet.
    if (!/byte order mark|utf-16/.test(name)) expect(tags.Validate, name).toBe('OK')
  }
})
