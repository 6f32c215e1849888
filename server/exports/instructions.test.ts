import { expect, test } from 'vitest'
import { labelNames } from '../feedback/marks/label-names.ts'
import { getTranslator } from '../platform/text/messages.ts'
import { mergeXmp } from '../platform/xmp/merge-xmp.ts'
import { readXmp, readXmpMarks } from '../platform/xmp/read-xmp.ts'
import type { ExportedMarks } from './exported-marks.ts'
import { formatInstructions } from './instructions.ts'
import { createSidecarFiles } from './xmp-sidecars.ts'

type Thread = Parameters<typeof formatInstructions>[0] extends Iterable<infer One> ? One : never

const base: Thread = {
  ...{ id: 1, photo_id: 7, kind: 'comment', status: 'approved', guest_name: 'Ana', text: 'Brighter?' },
  ...{ created_at: '2026-11-01T10:00:00.000Z', x: null, y: null, w: null, h: null, message_count: 0, messages: [] },
}
const answer = (by: 'guest' | 'operator', text: string, is_visible = true) => ({
  ...{ by, text, is_visible, author_name: by === 'guest' ? 'Ana' : 'owner' },
})
const format = (threads: Thread[], options = {}) =>
  formatInstructions(threads, { t: getTranslator('exports', 'en').t, ...options }).get(7)

test('names who wrote, where, and the answers, oldest first', () => {
  const messages = [
    answer('operator', 'Done, please look'),
    answer('guest', 'More\nto the left'),
    answer('guest', 'x', false),
  ]
  const box: Thread = {
    ...base,
    id: 3,
    kind: 'box',
    x: 0,
    y: 100_000,
    w: 300_000,
    h: 200_000,
    text: 'The sign {place}',
  }
  const note: Thread = { ...base, id: 2, kind: 'note', guest_name: null, created_at: '2026-10-01T10:00:00.000Z' }
  expect(format([{ ...box, messages, message_count: 3 }, base, note])).toBe(
    [
      'A guest (private): Brighter?',
      'Ana: Brighter?',
      'Ana (box, upper left): The sign {place}',
      '- Studio: Done, please look',
      '- Ana: More\nto the left',
    ].join('\n'),
  )
})

test.each([
  [0, 0, 'upper left'],
  [500_000, 0, 'top'],
  [1_000_000, 333_333, 'upper right'],
  [0, 333_334, 'left'],
  [500_000, 500_000, 'center'],
  [700_000, 500_000, 'right'],
  [0, 1_000_000, 'lower left'],
  [500_000, 700_000, 'bottom'],
  [1_000_000, 1_000_000, 'lower right'],
])('a pin at %i, %i is %s', (x, y, place) => {
  expect(format([{ ...base, kind: 'pin', x, y }])).toBe(`Ana (pin, ${place}): Brighter?`)
})

test('leaves out hidden comments, those that await approval, and what was deleted', () => {
  const pending: Thread = { ...base, status: 'pending' }
  expect(format([pending, { ...base, status: 'hidden' }])).toBeUndefined()
  expect(
    format([
      { ...base, photo_id: null },
      { ...base, photo_id: 8 },
    ]),
  ).toBeUndefined()
  expect(format([pending, { ...base, id: 2, status: 'hidden' }], { withPending: true })).toBe(
    'Ana (awaiting approval): Brighter?',
  )
  expect(format([{ ...base, text: null }])).toBe('')
  expect(format([{ ...base, text: null, message_count: 30, messages: [answer('operator', 'Sure')] }])).toBe(
    'Ana: …\n- …\n- Studio: Sure',
  )
  expect(format([{ ...base, text: 'a'.repeat(9_000) }])).toHaveLength(8_002)
})

async function writeSidecar(photo: object, words: string): Promise<Buffer | null> {
  const exported = {
    photoId: 7,
    sourceFilename: 'IMG_7.jpg',
    colorLabel: null,
    before: null,
    ...photo,
  } as ExportedMarks
  const options = { naming: { isFull: false, rawExtension: null }, labels: labelNames.en }
  const [file] = createSidecarFiles([exported], { ...options, instructions: new Map([[7, words]]) })
  if (!file) return null
  const bytes = Buffer.alloc(file.sizeBytes)
  await (await file.open({ start: 0, end: file.sizeBytes - 1 })).read(bytes)
  return bytes
}

test('a sidecar has the words beside marks or alone, and no program of ours takes them for marks', async () => {
  const words = 'Ana: "Crop" & <brighten>\n- Studio: Yes [/Proofroom]'
  const alone = (await writeSidecar({ rating: null }, words)) as Buffer
  expect(readXmp(alone).instructions).toBe(
    '[Proofroom]\nAna: "Crop" & <brighten>\n- Studio: Yes (Proofroom)\n[/Proofroom]',
  )
  expect(readXmpMarks(alone)).toBeNull()
  // What a sync or a later export of the same words would change.
  expect(mergeXmp(alone, { notes: words }).equals(alone)).toBe(true)
  expect(readXmp(mergeXmp(alone, { notes: '' })).instructions).toBeNull()
  const both = (await writeSidecar({ rating: 4 }, words)) as Buffer
  expect(readXmp(both)).toMatchObject({ rating: 4, instructions: readXmp(alone).instructions })
  expect(await writeSidecar({ rating: null }, '')).toBeNull()
})
