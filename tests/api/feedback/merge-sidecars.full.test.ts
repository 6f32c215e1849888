import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createMarking } from '../../support/fixtures/marks.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveFiles } from '../../support/media/read-archive.ts'
import { sidecarForms } from '../../support/media/sidecar-forms.ts'
import { sharedService } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await sharedService()
const { admin, api } = service

let event: TestEvent
let ids: [number, number]
let guest: TestClient
const marks = createMarking(service, () => ({ event, ids }))

beforeEach(async () => {
  event = await createEvent(api)
  const uploaded: number[] = []
  for (const [index, name] of ['IMG_1.JPG', 'IMG_2.JPG', 'IMG_3.JPG', 'img_3.jpg'].entries()) {
    uploaded.push((await api.upload(event.id, await jpeg({ seed: index + 1 }), { name })).body.id)
  }
  ids = [uploaded[0] ?? 0, uploaded[1] ?? 0]
  guest = await enterAsGuest(service, event)
  await marks.rate(guest, 4)
  await marks.label(guest, 'purple')
  await marks.rate(guest, 2, ids[1])
  for (const id of uploaded.slice(2)) await marks.rate(guest, 3, id)
})

type Files = Array<{ name: string; text: string | Uint8Array<ArrayBuffer> }>

async function merge(files: Files, query = '') {
  const form = new FormData()
  for (const { name, text } of files) form.append('sidecars', new Blob([text]), name)
  return admin.call('POST', `/api/admin/feedback/events/${event.id}/export/sidecars?${query}`, { body: form })
}

const contentsOf = (bytes: Buffer) =>
  Object.fromEntries([...readArchiveFiles(bytes)].map(([name, body]) => [name, body.toString()]))

describe('POST /api/admin/feedback/events/{event_id}/export/sidecars', () => {
  test('returns the sidecars with the new marks, new ones, and a list of those that were left out', async () => {
    const { lightroom, darktable } = sidecarForms
    const stored = (await listStoredFiles(service)).length
    const { status, headers, bytes } = await merge(
      [
        { name: 'img_1.CR3.xmp', text: darktable({ rating: '1', label: 'Rouge' }) },
        { name: 'IMG_3.xmp', text: lightroom({ rating: '1', label: null }) },
        { name: 'IMG_9.xmp', text: lightroom({ rating: '1', label: null }) },
        { name: 'IMG_2.xmp', text: '<broken' },
      ],
      'label_language=fr',
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('x-export-left-out')).toBe('3')
    const files = contentsOf(bytes)
    expect(Object.keys(files)).toEqual(['img_1.CR3.xmp', 'NOT_MERGED.txt'])
    expect(files['img_1.CR3.xmp']).toBe(darktable({ rating: '4', label: 'Violet' }))
    expect(files['NOT_MERGED.txt']?.split('\r\n')).toEqual([
      'These sidecars were not merged and are not in this ZIP.',
      '',
      'Several photos of this export have this name:',
      '  IMG_3.xmp',
      '',
      'No photo of this export has this name:',
      '  IMG_9.xmp',
      '',
      'Damaged (not well-formed XML):',
      '  IMG_2.xmp',
      '',
    ])
    await expect.poll(async () => (await listStoredFiles(service)).length).toBe(stored)
  })

  test('changes nothing else, writes new sidecars for the others, and is an export', async () => {
    const original = sidecarForms.lightroom({ rating: null, label: null })
    const { bytes, headers } = await merge([{ name: 'IMG_1.xmp', text: original }], 'naming=full&language=de')
    const files = contentsOf(bytes)
    expect(Object.keys(files)).toEqual(['IMG_1.xmp', 'IMG_2.JPG.xmp', 'IMG_3.JPG.xmp', 'img_3.jpg_1.xmp'])
    const added = '\n   xmp:Rating="4"\n   xmp:Label="Purple"'
    expect(files['IMG_1.xmp']).toBe(original.replace('crs:HasSettings="True"', `$&${added}`))
    expect(headers.get('x-export-left-out')).toBe('0')
    const { exports } = (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body
    expect(exports).toMatchObject([{ id: Number(headers.get('x-export-id')), format: 'xmp', photo_count: 4 }])
    const again = await merge([{ name: 'IMG_1.xmp', text: Uint8Array.from(Buffer.from(files['IMG_1.xmp'] ?? '')) }])
    expect(contentsOf(again.bytes)['IMG_1.xmp']).toBe(files['IMG_1.xmp'])
  })

  test('converts a pick only where the sidecar has no mark of its own, and clears marks of an earlier export', async () => {
    const { lightroom, bridge } = sidecarForms
    const { bytes, headers } = await merge(
      [
        { name: 'IMG_1.xmp', text: lightroom({ rating: '1', label: 'Blue' }) },
        { name: 'IMG_2.xmp', text: lightroom({ rating: '1', label: 'Blue' }) },
      ],
      'unlabeled_as=green&unrated_as=5',
    )
    const files = contentsOf(bytes)
    // The guest has given the first photo stars and a color, the second one only stars.
    expect(files['IMG_1.xmp']).toBe(lightroom({ rating: '4', label: 'Purple' }))
    expect(files['IMG_2.xmp']).toBe(lightroom({ rating: '2', label: 'Blue' }))

    await marks.rate(guest, 0)
    await marks.label(guest, null)
    const since = `since=${headers.get('x-export-id')}`
    const later = await merge([{ name: 'IMG_1.xmp', text: bridge({ rating: '4', label: 'Purple' }) }], since)
    expect(contentsOf(later.bytes)['IMG_1.xmp']).toMatch(/xmp:Rating="0"[\s\S]*xmp:Label=""/)
  })

  test('replaces the words of threads between our lines, and nothing around them', async () => {
    const { body } = await marks.give(guest, { feedback_type: 'comment', comment_text: 'Brighter?' })
    await admin.put(`/api/admin/feedback/${body.id}/approve`, {})
    const form = (words: string) =>
      sidecarForms
        .darktable({ rating: '4', label: 'Purple' })
        .replace(
          '<rdf:Description',
          `$& xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Instructions="Matte${words}"`,
        )
    const mergeOne = async (text: string) =>
      contentsOf((await merge([{ name: 'IMG_1.xmp', text }], 'language=de')).bytes)['IMG_1.xmp']
    const words = '&#10;[Proofroom]&#10;Ein Gast: Brighter?&#10;[/Proofroom]'
    expect(await mergeOne(form(''))).toBe(form(words))
    expect(await mergeOne(form('&#10;[Proofroom]&#10;Ana: Old&#10;[/Proofroom]'))).toBe(form(words))
    const { threads } = (await admin.get(`/api/admin/events/${event.id}/threads`)).body
    await admin.put(`/api/admin/events/${event.id}/threads/${threads[0].id}/state`, { state: 'done' })
    expect(await mergeOne(form(words))).toBe(form(''))
  })

  test('rejects a form without sidecars, with too many or too large ones, and wrong parameters', async () => {
    expectInvalidField(await merge([]), 'sidecars')
    const many = Array.from({ length: 501 }, (_, index) => ({ name: `${index}.xmp`, text: '' }))
    expectInvalidField(await merge(many), 'sidecars')
    const large = new Uint8Array(4 * 2 ** 20 + 1)
    expectProblem(await merge([{ name: 'IMG_1.xmp', text: large }]), 413, 'FILE_TOO_LARGE')
    expectInvalidField(await merge([{ name: 'IMG_1.xmp', text: '' }], 'labels=a,b'), 'labels')
    expectInvalidField(await merge([{ name: 'IMG_1.xmp', text: '' }], 'language=fr'), 'language')
  })
})
