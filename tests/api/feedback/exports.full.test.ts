import { beforeEach, describe, expect, test } from 'vitest'
import { readXmp } from '../../../server/platform/xmp/read-xmp.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { copyRow } from '../../support/database/copy-rows.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createMarking } from '../../support/fixtures/marks.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { readArchiveFiles } from '../../support/media/read-archive.ts'
import { adminPassword, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service
let event: TestEvent
let ids: [number, number, number, number]
let guest: TestClient
const marks = createMarking(service, () => ({ event, ids: [ids[0], ids[1]] }))

beforeEach(async () => {
  event = await createEvent(api, { moderate_comments: false })
  const uploaded: number[] = []
  for (const name of ['IMG_1.JPG', 'IMG_2.JPG', '=cmd.jpg', 'plain.jpg']) {
    uploaded.push((await api.upload(event.id, await jpeg({ seed: uploaded.length }), { name })).body.id)
  }
  ids = uploaded as typeof ids
  guest = await enterAsGuest(service, event)
})

const path = (query: string, eventId = event.id) => `/api/admin/feedback/events/${eventId}/export?${query}`
const exportMarks = async (query: string) => {
  const { status, headers, bytes } = await admin.get(path(query))
  expect(status).toBe(200)
  return { text: bytes.toString(), bytes, headers, id: headers.get('x-export-id') }
}
const listExports = async () => (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body.exports
/** Returns the rows of a CSV by column. Cells may be quoted and have line breaks. */
const exportTable = async (query: string) => {
  const { text, headers } = await exportMarks(`format=csv&${query}`)
  expect(text.startsWith('\ufeff')).toBe(true)
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of text
    .slice(1)
    .trimEnd()
    .matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/g)) {
    rows.at(-1)?.push(cell.replace(/^"|"$/g, '').replaceAll('""', '"'))
    if (end === '') break
    if (end === '\r\n') rows.push([])
  }
  const [header = [], ...records] = rows
  return {
    text,
    headers,
    header,
    records: records.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell]))),
    name: headers.get('content-disposition'),
  }
}
const exportSidecars = async (query: string) => {
  const { bytes, headers } = await exportMarks(`format=xmp&${query}`)
  expect(headers.get('content-type')).toBe('application/zip')
  return Object.fromEntries([...readArchiveFiles(bytes)].map(([name, body]) => [name, body.toString()]))
}
const comment = (client: TestClient, comment_text: string, id?: number) =>
  marks.give(client, { feedback_type: 'comment', comment_text }, id)
const nameGuest = (client: TestClient, name: string) => client.post(`/api/gallery/${event.slug}/guest`, { name })
const findGuestId = async (wanted: string): Promise<string> => {
  const { guests } = (await admin.get(`/api/admin/events/${event.id}/guests`)).body
  return guests.find(({ name }: { name: string }) => name === wanted).id
}

describe('a table', () => {
  const openPicks = async () => {
    await nameGuest(guest, 'Ana Lüthi')
    const other = await enterAsGuest(service, event)
    for (const client of [guest, other]) await marks.favor(client, ids[0])
    await marks.rate(guest, 5, ids[0])
    await marks.rate(other, 2, ids[0])
    await marks.label(other, 'red', ids[0])
    await marks.mark(admin, { rating: 1, color_label: 'blue' }, ids[0])
    return { other, ana: await findGuestId('Ana Lüthi') }
  }

  test('has one row for each marked photo, with the original camera file name', async () => {
    await marks.rate(guest, 4, ids[1])
    await marks.label(guest, 'green', ids[1])
    await marks.like(guest, ids[0])
    await marks.mark(admin, { rating: 5 }, ids[1])
    const fields = { replaces_photo_id: ids[1] }
    expect((await api.upload(event.id, await jpeg({ seed: 9 }), { name: 'retouched.jpg', fields })).status).toBe(200)
    const { headers, records, name } = await exportTable('')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(name).toMatch(/^attachment; filename=wedding-.*-picks-guests-and-own-\d+\.csv$/)
    const marked = { rating: '5', color_label: 'green', average_rating: '4', green: '1', my_rating: '5' }
    expect(records).toMatchObject([
      { source_filename: 'IMG_1.JPG', rating: '', like_count: '1', photo_id: String(ids[0]) },
      { source_filename: 'IMG_2.JPG', ...marked },
    ])
    expect(records).toHaveLength(2)
  })

  test('has no cell that a spreadsheet would execute', async () => {
    await comment(guest, '=HYPERLINK("http://x")', ids[2])
    const { text } = await exportTable('')
    expect(text).toContain("\r\n'=cmd.jpg,")
    expect(text).toContain('"\'=HYPERLINK(""http://x"")"')
    await nameGuest(guest, '=A1')
    await comment(guest, '+1', ids[0])
    await comment(guest, '-1', ids[1])
    await comment(guest, '@x', ids[3])
    await marks.favor(guest, ids[0])
    for (const headers of ['keys', 'en']) {
      expect((await exportTable(`headers=${headers}`)).text).not.toMatch(/(^|,"?)[=+\-@\t]/m)
    }
    expect((await exportTable('headers=en')).text).toContain("\r\nIMG_1.JPG,'=A1,")
    await comment(guest, 'One line\nand another', ids[1])
    expect((await exportTable('')).text).toContain('"\'=A1: -1\n=A1: One line\nand another"')
  })

  test('names who picked, commented and wrote a note; comments that await approval only on request', async () => {
    const { other } = await openPicks()
    await comment(guest, '=1+1', ids[0])
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: true, allow_notes: true })
    await guest.post(`/api/gallery/${event.slug}/notes`, { text: 'Remove the lamp', photo_id: ids[0] })
    await comment(other, 'Brighter, please', ids[0])
    await comment(other, 'This one too', ids[1])
    const { id: rejected } = (await comment(other, 'Rude', ids[0])).body
    expect((await admin.put(`/api/admin/feedback/${rejected}/hide`, {})).status).toBe(200)
    const { header, records } = await exportTable('headers=en&mark_source=client&comments=pending')
    const columns = 'File name|Picked by|Rating (all guests)|Color label (all guests)|Average rating (all guests)'
    expect(header.join('|')).toBe(`${columns}|Likes|Picks|Category|Taken|Comments|Private notes`)
    expect(records).toMatchObject([
      {
        'File name': 'IMG_1.JPG',
        'Picked by': 'Ana Lüthi, Guest 1',
        'Rating (all guests)': '4',
        'Color label (all guests)': 'Red',
        Comments: 'Ana Lüthi: =1+1\nGuest 1 (awaiting approval): Brighter, please',
        'Private notes': 'Ana Lüthi: Remove the lamp',
      },
      { 'File name': 'IMG_2.JPG', 'Picked by': '', Comments: 'Guest 1 (awaiting approval): This one too' },
    ])
    await admin.put('/api/admin/settings', { color_name_red: 'Album' })
    const named = await exportTable('headers=de&mark_source=client')
    expect(named.records[0]).toMatchObject({ 'Farbmarkierung (alle Gäste)': 'Album' })
    expect((await exportTable('')).text).not.toContain('Album')
    await admin.put('/api/admin/settings', { color_name_red: '' })
    const approved = await exportTable('headers=en&mark_source=client')
    expect(approved.records.map(({ Comments }) => Comments)).toEqual(['Ana Lüthi: =1+1'])
    expect((await exportTable('')).text).not.toContain('Brighter')
    const list = await exportMarks('format=list&mark_source=client&filter=commented&comments=pending')
    expect(list.text).toBe('IMG_1\nIMG_2')
    const german = await exportTable('headers=de&mark_source=client&comments=pending')
    expect(german.text).toContain('Dateiname,Ausgewählt von,Bewertung (alle Gäste)')
    expect(german.text).toContain('Gast 1 (noch nicht freigegeben): Brighter, please')
  })

  test('states whose marks it has: of all guests, of one guest, own marks, or both', async () => {
    const { ana } = await openPicks()
    const read = async (query: string) => {
      const { header, records, name } = await exportTable(`headers=en&${query}`)
      const [, , rating = '', color = ''] = header
      return [rating, records[0]?.[rating], records[0]?.[color], /-picks-(.*)-\d/.exec(name ?? '')?.[1]]
    }
    const ofAnaAndOwn = ['Rating (Ana Lüthi and own)', '5', 'Blue', 'ana-luethi-and-own']
    expect(await read('mark_source=client')).toEqual(['Rating (all guests)', '4', 'Red', 'guests'])
    expect(await read(`mark_source=client&marks_of=${ana}`)).toEqual(['Rating (Ana Lüthi)', '5', '', 'ana-luethi'])
    expect(await read('mark_source=mine')).toEqual(['Rating (own)', '1', 'Blue', 'own'])
    expect(await read('mark_source=either')).toEqual(['Rating (all guests and own)', '4', 'Blue', 'guests-and-own'])
    expect(await read(`mark_source=either&marks_of=${ana}`)).toEqual(ofAnaAndOwn)
    // A guest of another event has no marks here, and no name.
    const other = await createEvent(api)
    const stranger = await enterAsGuest(service, other)
    const { body } = await stranger.post(`/api/gallery/${other.slug}/guest`, { name: 'Zoe' })
    const unknown = ['Rating (unknown guest)', '', '', 'guest']
    expect(await read(`mark_source=client&marks_of=${body.guest.id}`)).toEqual(unknown)
  })
})

test('sidecars have rating and color, are named after the file or its raw file, and use the language', async () => {
  await marks.rate(guest, 4)
  await marks.label(guest, 'purple')
  await marks.rate(guest, 2, ids[1])
  await marks.like(guest, ids[3])
  const files = await exportSidecars('')
  expect(Object.keys(files)).toEqual(['IMG_1.xmp', 'IMG_2.xmp'])
  expect(files['IMG_1.xmp']).toContain('xmp:Rating="4" xmp:Label="Purple"')
  expect(files['IMG_2.xmp']).toContain('xmp:Rating="2"/>')
  for (const [query, label] of [
    ['label_language=de', 'Lila'],
    ['label_language=ja', 'パープル'],
    ['label_language=bridge', 'To Do'],
    [`labels=${encodeURIComponent('A,B,C,D,"E" & <F>')}`, '&#34;E&#34; &#38; &#60;F&#62;'],
  ] as const) {
    expect((await exportSidecars(query))['IMG_1.xmp']).toContain(`xmp:Label="${label}"`)
  }
  expect(Object.keys(await exportSidecars('naming=full'))).toEqual(['IMG_1.JPG.xmp', 'IMG_2.JPG.xmp'])
  const raw = await exportSidecars('naming=full&raw_extension=CR3')
  expect(Object.keys(raw)).toEqual(['IMG_1.CR3.xmp', 'IMG_2.CR3.xmp'])
  // Two cameras used one name.
  const { body } = await api.upload(event.id, await jpeg({ seed: 7 }), { name: 'img_1.jpg' })
  await marks.rate(guest, 1, body.id)
  expect(Object.keys(await exportSidecars(''))).toEqual(['IMG_1.xmp', 'IMG_2.xmp', 'img_1_1.xmp'])
})

test('tables have the version and the decision of each photo, where the event keeps versions', async () => {
  await marks.rate(guest, 4, ids[0])
  const table = async (query: string) => {
    const { bytes } = await admin.get(`/api/admin/feedback/events/${event.id}/export?format=csv&${query}`)
    return bytes.toString().trim().split('\r\n')
  }
  expect((await table('headers=keys'))[0]).toMatch(/,comments$/)
  await admin.patch(`/api/admin/events/${event.id}`, { keep_versions: true })
  await api.upload(event.id, await jpeg({ seed: 77 }), { fields: { replaces_photo_id: ids[0] ?? 0 } })
  const decision = { decision: 'changes_wanted', guest_name: 'Ana' }
  await guest.put(`/api/gallery/${event.slug}/photos/${ids[0]}/versions/2/decision`, decision)
  const [header, row] = await table('headers=keys')
  expect([header, row]).toEqual([
    expect.stringMatching(/,comments,version,decision$/),
    expect.stringMatching(/,2,changes_wanted$/),
  ])
  expect((await table('headers=de')).at(-1)).toMatch(/2[,;]Änderungen gewünscht$/)
})

test('sidecars have the words of open threads, and private ones only for who may read notes', async () => {
  await admin.patch(`/api/admin/events/${event.id}`, {
    allow_notes: true,
    allow_annotations: true,
    moderate_comments: true,
  })
  await nameGuest(guest, 'Ana')
  await marks.rate(guest, 4, ids[0])
  const begin = async (body: object) => {
    const { body: thread } = await guest.post(`/api/gallery/${event.slug}/photos/${ids[0]}/threads`, body)
    return `/api/admin/events/${event.id}/threads/${thread.id}`
  }
  const pin = await begin({ kind: 'pin', x: 500_000, y: 100_000, text: 'A "fly" & more' })
  await admin.post(`${pin}/messages`, { text: 'Gone' })
  const { id: commentId } = (await comment(guest, 'Brighter?', ids[1])).body
  const instructions = async (query = '') =>
    Object.fromEntries(
      Object.entries(await exportSidecars(query)).map(([name, xmp]) => [name, readXmp(Buffer.from(xmp)).instructions]),
    )
  const ofPin = '[Proofroom]\nAna (pin, top): A "fly" & more\n- Studio: Gone\n[/Proofroom]'
  expect(await instructions()).toEqual({ 'IMG_1.xmp': ofPin })
  expect(await instructions('comments=pending&headers=de')).toEqual({
    'IMG_1.xmp': ofPin.replace('pin, top', 'Punkt, oben'),
    'IMG_2.xmp': '[Proofroom]\nAna (noch nicht freigegeben): Brighter?\n[/Proofroom]',
  })
  await admin.put(`/api/admin/feedback/${commentId}/approve`, {})
  const asToken = async (readsNotes: boolean) => {
    const authorization = `Bearer ${await createApiToken(admin, ['read'], { readsNotes })}`
    const { bytes } = await service.anonymous.get(`/api/v1/events/${event.id}/export?format=xmp`, { authorization })
    return [...readArchiveFiles(bytes).values()].map((xmp) => readXmp(xmp).instructions)
  }
  const ofComment = '[Proofroom]\nAna: Brighter?\n[/Proofroom]'
  expect([await asToken(true), await asToken(false)]).toEqual([
    [ofPin, ofComment],
    [null, ofComment],
  ])
  await admin.put(`${pin}/state`, { state: 'done' })
  expect(await instructions()).toEqual({ 'IMG_1.xmp': null, 'IMG_2.xmp': ofComment })
  // More than one query loads.
  const pinId = Number(pin.split('/').at(-1))
  const open = { kind: "'comment'", text: "'x'", settled_at: 'null' }
  await changeDatabase(service, (stored) => copyRow(stored, 'threads', pinId, 501, open))
  expect((await instructions())['IMG_1.xmp']?.match(/Ana: x/g)).toHaveLength(200)
})

test('a list names the filtered photos or a submitted selection, with the requested separator', async () => {
  const empty = await exportMarks('format=list')
  expect([empty.text, empty.headers.get('x-export-photos')]).toEqual(['', '0'])
  await marks.rate(guest, 5)
  await marks.rate(guest, 3, ids[1])
  await marks.like(guest, ids[1])
  await marks.favor(guest, ids[3])
  await marks.mark(admin, { color_label: 'red' }, ids[3])
  await guest.post(`/api/gallery/${event.slug}/selection`, {})
  const { selections } = (await admin.get(`/api/admin/events/${event.id}/selections`)).body
  for (const [query, text] of [
    ['', 'IMG_1\nIMG_2\nplain'],
    ['separator=comma&naming=full', 'IMG_1.JPG, IMG_2.JPG, plain.jpg'],
    ['separator=space&min_rating=3', 'IMG_1 IMG_2'],
    ['mark_source=mine', 'plain'],
    ['min_rating=4', 'IMG_1'],
    ['filter=liked,favorited', 'IMG_2\nplain'],
  ] as const) {
    expect((await exportMarks(`format=list&${query}`)).text, query).toBe(text)
  }
  await marks.favor(guest, ids[3])
  expect((await exportMarks('format=list&filter=favorited')).text).toBe('')
  expect((await exportMarks(`format=list&selection=${selections[0].id}`)).text).toBe('plain')
  const other = await createEvent(api)
  expectProblem(await admin.get(path(`format=list&selection=${selections[0].id}`, other.id)), 404, 'NOT_FOUND')
})

test('a selection of a round has the marks that were submitted, and names the round', async () => {
  await api.put(`/api/v1/events/${event.id}/package`, { purpose: 'Album', included: 1 })
  await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana' })
  await marks.favor(guest, ids[0])
  await marks.rate(guest, 4)
  await guest.post(`/api/gallery/${event.slug}/selection`, {})
  const [round] = (await api.get(`/api/v1/events/${event.id}/rounds`)).body.rounds
  await api.post(`/api/v1/events/${event.id}/rounds/${round.id}/reopen`, { message: 'Again' })
  await marks.rate(guest, 1)
  const { text, headers } = await exportMarks(`format=csv&mark_source=client&selection=${round.selection_id}`)
  expect(text).toMatch(/IMG_1[^\n]*,4,/)
  expect(headers.get('x-export-round')).toBe('1')
  expect(headers.get('content-disposition')).toMatch(/-picks-ana-round-1-\d+\.csv/)
  const table = await exportTable(`headers=en&mark_source=client&selection=${round.selection_id}`)
  expect(table.records).toMatchObject([{ 'File name': 'IMG_1.JPG', 'Rating (Ana)': '4' }])
})

describe('filtered by guests who picked', () => {
  let ana: string
  let ben: string
  beforeEach(async () => {
    const other = await enterAsGuest(service, event)
    await nameGuest(guest, 'Ana')
    await nameGuest(other, 'Ben')
    for (const id of [ids[0], ids[1]]) await marks.favor(guest, id)
    for (const id of [ids[1], ids[3]]) await marks.favor(other, id)
    // The picks of a guest with favorites are only the favorites.
    await marks.like(other, ids[2])
    await marks.rate(other, 5, ids[2])
    ana = await findGuestId('Ana')
    ben = await findGuestId('Ben')
  })

  test('by one, any, all or only some of them, a minimum number, and other filters', async () => {
    await marks.rate(guest, 5, ids[1])
    await marks.mark(admin, { rating: 2 }, ids[0])
    // Hearts can become stars or a color.
    const files = await exportSidecars(`picked_by=${ana}&mark_source=client&unrated_as=4&unlabeled_as=green`)
    expect(files['IMG_1.xmp']).toContain('xmp:Rating="4" xmp:Label="Green"/>')
    expect(files['IMG_2.xmp']).toContain('xmp:Rating="5" xmp:Label="Green"/>')
    for (const [query, names] of [
      ['min_pickers=1', 'IMG_1, IMG_2, plain'],
      ['min_pickers=2', 'IMG_2'],
      [`picked_by=${ana}`, 'IMG_1, IMG_2'],
      [`picked_by=${ana}&pickers=only`, 'IMG_1'],
      [`picked_by=${ana},${ben}`, 'IMG_1, IMG_2, plain'],
      [`picked_by=${ana},${ben}&pickers=all`, 'IMG_2'],
      [`picked_by=${ana},nobody&pickers=all`, ''],
      [`picked_by=${ana}&min_rating=4`, 'IMG_2'],
      [`picked_by=${ana}&mark_source=mine`, 'IMG_1'],
    ] as const) {
      expect((await exportMarks(`format=list&separator=comma&${query}`)).text, query).toBe(names)
    }
  })

  test('changes since an export need no new export; own marks are none, an approved comment is one', async () => {
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: true })
    const { id: commentId } = (await comment(guest, 'Nice', ids[0])).body
    const { id } = await exportMarks(`format=list&picked_by=${ana}`)
    const ofGuests = await exportMarks('format=list&mark_source=client&comments=pending')
    const changesPath = (of = id) => `/api/admin/feedback/events/${event.id}/exports/${of}/changes`
    const listChanges = async (of = id) => {
      const { added, changed, removed } = (await admin.get(changesPath(of))).body
      return [added, changed, removed]
    }
    expect((await admin.get(changesPath())).body.export).toMatchObject({ id: Number(id), photo_count: 2 })
    await marks.mark(admin, { rating: 3 }, ids[0])
    expect(await listChanges(ofGuests.id)).toEqual([[], [], []])
    await admin.put(`/api/admin/feedback/${commentId}/approve`, {})
    expect(await listChanges(ofGuests.id)).toEqual([[], [ids[0]], []])
    await marks.favor(guest, ids[3])
    await marks.favor(guest, ids[0])
    await marks.rate(guest, 3, ids[1])
    expect(await listChanges()).toEqual([[ids[3]], [ids[1]], [ids[0]]])
    expect(await listExports()).toHaveLength(2)
    const stranger = await createAccount(service, 'super_admin')
    expectProblem(await stranger.admin.get(changesPath()), 404, 'NOT_FOUND')
  })
})

describe('exports', () => {
  test('since an earlier one have only what was added, changed or cleared in between', async () => {
    await marks.rate(guest, 5)
    await marks.label(guest, 'blue')
    await marks.rate(guest, 3, ids[1])
    await marks.like(guest, ids[3])
    const { id } = await exportMarks('format=list')
    expect((await exportMarks(`format=list&since=${id}`)).text).toBe('')
    await marks.rate(guest, 4)
    await marks.label(guest, null)
    await marks.rate(guest, 0, ids[1])
    await marks.label(guest, 'red', ids[2])
    await marks.like(guest, ids[3])
    const files = await exportSidecars(`since=${id}`)
    expect(Object.keys(files)).toEqual(['IMG_1.xmp', '=cmd.xmp', 'IMG_2.xmp'])
    expect(files['IMG_1.xmp']).toContain('xmp:Rating="4" xmp:Label=""/>')
    expect(files['IMG_2.xmp']).toContain('xmp:Rating="0"/>')
    expect(files['=cmd.xmp']).toContain('about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="Red"/>')
    const later = await exportMarks('format=list')
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`)
    expect((await exportMarks(`format=list&since=${later.id}`)).text).toBe('')

    const other = await createEvent(api)
    expectProblem(await admin.get(path(`format=list&since=${id}`, other.id)), 404, 'NOT_FOUND')
    const stranger = await createAccount(service, 'super_admin')
    expectProblem(await stranger.admin.get(path(`format=list&since=${id}`)), 404, 'NOT_FOUND')
  })

  test('are listed, newest first, fifty at most', async () => {
    const { id } = await exportMarks('format=list')
    await changeDatabase(service, (stored) => copyRow(stored, 'mark_exports', Number(id), 50, {}))
    await exportMarks('format=list')
    const exports = await listExports()
    expect(exports).toHaveLength(50)
    expect(exports[0].id).toBeGreaterThan(exports[1].id)
    expect(Object.keys(exports[0])).toEqual(['id', 'format', 'photo_count', 'created_at', 'choice'])
    expect(exports[0].choice).toEqual({ marked_only: false, mark_source: 'either', logic: 'AND', pickers: 'any' })
  })

  test('are listed with the picked photos whose name another photo has, unless it is the same shot', async () => {
    const load = async () => (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body.shared_names
    await marks.like(guest, ids[0])
    const upload = async (seed: number, name: string) =>
      (await api.upload(event.id, await jpeg({ seed, takenAt: `2026:05:01 10:00:0${seed % 10}` }), { name })).body.id
    await marks.like(guest, await upload(11, 'DSC_0010.JPG'))
    await upload(21, 'DSC_0010.png')
    await upload(12, 'DSC_10.JPG')
    expect(await load()).toEqual({ count: 0, names: [] })
    await upload(13, 'dsc_0010.jpg')
    const { text } = await exportMarks('format=csv&headers=en&filter=liked')
    expect(text).toContain('DSC_0010.JPG')
    expect(text).toContain('2026-05-01 10:00:01')
    await upload(14, 'img_1.png')
    expect(await load()).toEqual({ count: 2, names: ['DSC_0010', 'IMG_1'] })
    const ofGuest = `update photos set uploaded_by = 'guest' where event_id = ? and source_filename = 'img_1.png'`
    await changeDatabase(service, (stored) => stored.prepare(ofGuest).run(event.id))
    expect(await load(), 'with an upload of a guest').toEqual({ count: 1, names: ['DSC_0010'] })
  })

  test('with an unknown format, separator, language or filter return 400', async () => {
    for (const query of [
      '',
      'format=pdf',
      'format=list&separator=x',
      'format=list&filter=loved',
      'format=xmp&label_language=xx',
      'format=xmp&labels=Red,Green',
      'format=xmp&raw_extension=../x',
    ]) {
      expectProblem(await admin.get(path(query)), 400, 'VALIDATION_ERROR')
    }
  })

  test('are not created by a link on a page of another site', async () => {
    const login = { username: 'admin', password: adminPassword }
    const cookie = `admin_token=${(await service.anonymous.post('/api/auth/admin/login', login)).body.token}`
    const followLink = (site: string) => service.anonymous.get(path('format=csv'), { cookie, 'sec-fetch-site': site })
    expectProblem(await followLink('cross-site'), 403, 'CROSS_ORIGIN')
    expect((await followLink('same-origin')).status).toBe(200)
    expect(await listExports()).toHaveLength(1)
  })
})
