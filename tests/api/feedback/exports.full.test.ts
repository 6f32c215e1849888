import { beforeEach, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
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
const exportMarks = async (query: string, client = admin) => {
  const answer = await client.get(path(query))
  expect(answer.status).toBe(200)
  return {
    text: answer.bytes.toString(),
    bytes: answer.bytes,
    headers: answer.headers,
    id: answer.headers.get('x-export-id'),
  }
}
const parseRows = (text: string) => {
  expect(text.startsWith('\ufeff')).toBe(true)
  const [header = '', ...rows] = text.slice(1).trimEnd().split('\r\n')
  return rows.map((row) => Object.fromEntries(header.split(',').map((key, index) => [key, row.split(',')[index]])))
}
/** Cells may be quoted and have line breaks. */
const parseCells = (text: string): string[][] => {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of text.trimEnd().matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/g)) {
    rows.at(-1)?.push(cell.replace(/^"|"$/g, '').replaceAll('""', '"'))
    if (end === '') return rows
    if (end === '\r\n') rows.push([])
  }
  return rows
}

describe('as a table', () => {
  test('has one row for each marked photo, with the original camera file name', async () => {
    await marks.rate(guest, 4, ids[1])
    await marks.label(guest, 'green', ids[1])
    await marks.like(guest, ids[0])
    await marks.mark(admin, { rating: 5 }, ids[1])
    const replaced = await api.upload(event.id, await jpeg({ seed: 9 }), {
      name: 'retouched.jpg',
      fields: { replaces_photo_id: ids[1] },
    })
    expect(replaced.status).toBe(200)
    const { text, headers } = await exportMarks('format=csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename=wedding-.*-picks-guests-and-own-\d+\.csv$/,
    )
    const [first, second, ...others] = parseRows(text)
    expect(others).toEqual([])
    expect(first).toMatchObject({ source_filename: 'IMG_1.JPG', rating: '', like_count: '1', photo_id: String(ids[0]) })
    expect(second).toMatchObject({
      source_filename: 'IMG_2.JPG',
      rating: '5',
      color_label: 'green',
      average_rating: '4',
      green: '1',
      my_rating: '5',
    })
  })

  test('has no cell that a spreadsheet would execute', async () => {
    const give = (comment_text: string) => marks.give(guest, { feedback_type: 'comment', comment_text }, ids[2])
    expect((await give('=HYPERLINK("http://x")')).status).toBe(200)
    const { text } = await exportMarks('format=csv')
    expect(text).toContain("\r\n'=cmd.jpg,")
    expect(text).toContain('"\'=HYPERLINK(""http://x"")"')
    for (const [index, comment_text] of ['+1', '-1', '@x'].entries()) {
      const photoId = [ids[0], ids[1], ids[3]][index] as number
      await marks.give(guest, { feedback_type: 'comment', comment_text, guest_name: '=A1' }, photoId)
    }
    await marks.favor(guest, ids[0])
    for (const headers of ['keys', 'en']) {
      expect((await exportMarks(`format=csv&headers=${headers}`)).text).not.toMatch(/(^|,"?)[=+\-@\t]/m)
    }
    expect((await exportMarks('format=csv&headers=en')).text).toContain("\r\nIMG_1.JPG,'=A1,")
  })

  test('has only approved comments, with their author', async () => {
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: true })
    await marks.give(guest, { feedback_type: 'comment', comment_text: 'secret', guest_name: 'Ana' })
    expect((await exportMarks('format=csv')).text).not.toContain('secret')
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: false })
    await marks.give(guest, { feedback_type: 'comment', comment_text: 'lovely' })
    const { text } = await exportMarks('format=csv')
    expect(text).toContain('Ana: lovely')
    expect(text).not.toContain('secret')
  })
})

describe('as a table for people', () => {
  const exportTable = async (query: string) => {
    const { text, headers } = await exportMarks(`format=csv&headers=en&${query}`)
    const [header, ...rows] = parseCells(text.slice(1))
    const records = rows.map((row) => Object.fromEntries(row.map((cell, index) => [header?.[index], cell])))
    return { header, records, name: headers.get('content-disposition') }
  }
  const comment = (client: TestClient, comment_text: string, id?: number) =>
    marks.give(client, { feedback_type: 'comment', comment_text }, id)
  const openPicks = async () => {
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Ana Lüthi' })
    const other = await enterAsGuest(service, event)
    for (const client of [guest, other]) await marks.favor(client, ids[0])
    await marks.rate(guest, 5, ids[0])
    await marks.rate(other, 2, ids[0])
    await marks.label(other, 'red', ids[0])
    await marks.mark(admin, { rating: 1, color_label: 'blue' }, ids[0])
    const { guests } = (await admin.get(`/api/admin/events/${event.id}/guests`)).body
    return { other, ana: guests.find(({ name }: { name: string }) => name === 'Ana Lüthi').id }
  }

  test('names who picked, commented and wrote a note, and the comments that await approval', async () => {
    const { other } = await openPicks()
    await comment(guest, '=1+1', ids[0])
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: true, allow_notes: true })
    await guest.post(`/api/gallery/${event.slug}/notes`, { text: 'Remove the lamp', photo_id: ids[0] })
    await comment(other, 'Brighter, please', ids[0])
    await comment(other, 'This one too', ids[1])
    const { id: rejected } = (await comment(other, 'Rude', ids[0])).body
    expect((await admin.put(`/api/admin/feedback/${rejected}/hide`, {})).status).toBe(200)
    const { header, records } = await exportTable('mark_source=client&comments=pending')
    expect(header).toEqual([
      'File name',
      'Picked by',
      'Rating (all guests)',
      'Color label (all guests)',
      'Average rating (all guests)',
      'Likes',
      'Picks',
      'Category',
      'Comments',
      'Private notes',
    ])
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
    const approved = await exportTable('mark_source=client')
    expect(approved.records.map(({ Comments }) => Comments)).toEqual(['Ana Lüthi: =1+1'])
    expect((await exportMarks('format=list&mark_source=client&filter=commented&comments=pending')).text).toBe(
      'IMG_1\nIMG_2',
    )
    const german = await exportMarks('format=csv&headers=de&mark_source=client&comments=pending')
    expect(german.text).toContain('Dateiname,Ausgewählt von,Bewertung (alle Gäste)')
    expect(german.text).toContain('Gast 1 (noch nicht freigegeben): Brighter, please')
  })

  test('states whose marks it has: of all guests, of one guest, own marks, or both', async () => {
    const { ana } = await openPicks()
    const read = async (query: string) => {
      const { header = [], records, name } = await exportTable(query)
      return [
        header[2],
        records[0]?.[header[2] ?? ''],
        records[0]?.[header[3] ?? ''],
        /-picks-(.*)-\d/.exec(name ?? '')?.[1],
      ]
    }
    expect(await read('mark_source=client')).toEqual(['Rating (all guests)', '4', 'Red', 'guests'])
    expect(await read(`mark_source=client&marks_of=${ana}`)).toEqual(['Rating (Ana Lüthi)', '5', '', 'ana-luethi'])
    expect(await read('mark_source=mine')).toEqual(['Rating (own)', '1', 'Blue', 'own'])
    expect(await read('mark_source=either')).toEqual(['Rating (all guests and own)', '4', 'Blue', 'guests-and-own'])
    expect(await read(`mark_source=either&marks_of=${ana}`)).toEqual([
      'Rating (Ana Lüthi and own)',
      '5',
      'Blue',
      'ana-luethi-and-own',
    ])
    expect((await exportTable('mark_source=client')).header?.join()).not.toContain('own')
  })

  test('a guest of another event has no marks there', async () => {
    await openPicks()
    const other = await createEvent(api)
    const stranger = await enterAsGuest(service, other)
    await stranger.post(`/api/gallery/${other.slug}/guest`, { name: 'Zoe' })
    const { guests } = (await admin.get(`/api/admin/events/${other.id}/guests`)).body
    const { header, name, records } = await exportTable(`mark_source=client&marks_of=${guests[0].id}`)
    expect([header?.[2], name, records[0]?.['Rating (unknown guest)']]).toEqual([
      'Rating (unknown guest)',
      expect.stringMatching(/-picks-guest-\d+\.csv$/),
      '',
    ])
  })

  test('own marks are no change of an export of guests, an approved comment is', async () => {
    await admin.patch(`/api/admin/events/${event.id}`, { moderate_comments: true })
    await openPicks()
    const { id: commentId } = (await comment(guest, 'Nice', ids[0])).body
    const { id } = await exportMarks('format=list&mark_source=client&comments=pending')
    const changed = async () =>
      (await admin.get(`/api/admin/feedback/events/${event.id}/exports/${id}/changes`)).body.changed
    await marks.mark(admin, { rating: 3 }, ids[0])
    expect(await changed()).toEqual([])
    await admin.put(`/api/admin/feedback/${commentId}/approve`, {})
    expect(await changed()).toEqual([ids[0]])
  })
})

describe('as sidecars', () => {
  const exportSidecars = async (query = '') => {
    const { bytes, headers } = await exportMarks(`format=xmp${query}`)
    expect(headers.get('content-type')).toBe('application/zip')
    return Object.fromEntries([...readArchiveFiles(bytes)].map(([name, body]) => [name, body.toString()]))
  }
  beforeEach(async () => {
    await marks.rate(guest, 4)
    await marks.label(guest, 'purple')
    await marks.rate(guest, 2, ids[1])
  })

  test('have xmp:Rating and xmp:Label, named after the file', async () => {
    const files = await exportSidecars()
    expect(Object.keys(files)).toEqual(['IMG_1.xmp', 'IMG_2.xmp'])
    expect(files['IMG_1.xmp']).toContain('xmp:Rating="4" xmp:Label="Purple"')
    expect(files['IMG_2.xmp']).toContain('xmp:Rating="2"/>')
  })

  test('are named after the raw file if requested', async () => {
    expect(Object.keys(await exportSidecars('&naming=full'))).toEqual(['IMG_1.JPG.xmp', 'IMG_2.JPG.xmp'])
    expect(Object.keys(await exportSidecars('&naming=full&raw_extension=CR3'))).toEqual([
      'IMG_1.CR3.xmp',
      'IMG_2.CR3.xmp',
    ])
  })

  test('use the language of the program', async () => {
    expect((await exportSidecars('&label_language=de'))['IMG_1.xmp']).toContain('xmp:Label="Lila"')
    expect((await exportSidecars('&label_language=fr'))['IMG_1.xmp']).toContain('xmp:Label="Violet"')
    expect((await exportSidecars('&label_language=it'))['IMG_1.xmp']).toContain('xmp:Label="Viola"')
    expect((await exportSidecars('&label_language=ja'))['IMG_1.xmp']).toContain('xmp:Label="パープル"')
    expect((await exportSidecars('&label_language=bridge'))['IMG_1.xmp']).toContain('xmp:Label="To Do"')
    const own = encodeURIComponent('A,B,C,D,"E" & <F>')
    expect((await exportSidecars(`&labels=${own}`))['IMG_1.xmp']).toContain('xmp:Label="&#34;E&#34; &#38; &#60;F&#62;"')
    expectProblem(await admin.get(path('format=xmp&labels=Red,Green')), 400, 'VALIDATION_ERROR')
  })

  test('exclude photos without stars and color', async () => {
    await marks.like(guest, ids[3])
    expect(Object.keys(await exportSidecars())).toEqual(['IMG_1.xmp', 'IMG_2.xmp'])
  })

  test('are two files if two cameras used one name', async () => {
    const { body } = await api.upload(event.id, await jpeg({ seed: 7 }), { name: 'img_1.jpg' })
    await marks.rate(guest, 1, body.id)
    expect(Object.keys(await exportSidecars())).toEqual(['IMG_1.xmp', 'IMG_2.xmp', 'img_1_1.xmp'])
  })
})

describe('as a list', () => {
  test('names the filtered photos, with the requested separator', async () => {
    await marks.rate(guest, 5)
    await marks.rate(guest, 3, ids[1])
    await marks.mark(admin, { color_label: 'red' }, ids[3])
    expect((await exportMarks('format=list')).text).toBe('IMG_1\nIMG_2\nplain')
    expect((await exportMarks('format=list&separator=comma&naming=full')).text).toBe('IMG_1.JPG, IMG_2.JPG, plain.jpg')
    expect((await exportMarks('format=list&separator=space&mark_source=client')).text).toBe('IMG_1 IMG_2')
    expect((await exportMarks('format=list&mark_source=mine')).text).toBe('plain')
    expect((await exportMarks('format=list&min_rating=4')).text).toBe('IMG_1')
  })

  test('names the favorites, or a submitted selection', async () => {
    await marks.rate(guest, 5)
    await marks.favor(guest, ids[3])
    await marks.like(guest, ids[1])
    expect((await exportMarks('format=list&filter=favorited')).text).toBe('plain')
    expect((await exportMarks('format=list&filter=liked,favorited')).text).toBe('IMG_2\nplain')
    await guest.post(`/api/gallery/${event.slug}/selection`, {})
    const { selections } = (await admin.get(`/api/admin/events/${event.id}/selections`)).body
    await marks.favor(guest, ids[3])
    expect((await exportMarks(`format=list&selection=${selections[0].id}`)).text).toBe('plain')
    const other = await createEvent(api)
    expectProblem(await admin.get(path(`format=list&selection=${selections[0].id}`, other.id)), 404, 'NOT_FOUND')
    expectProblem(await admin.get(path('format=list&filter=loved')), 400, 'VALIDATION_ERROR')
  })

  test('is empty if nothing is marked', async () => {
    const { text, headers } = await exportMarks('format=list')
    expect([text, headers.get('x-export-photos')]).toEqual(['', '0'])
  })
})

describe('filtered by guests who picked', () => {
  let ana: string
  let ben: string
  beforeEach(async () => {
    const other = await enterAsGuest(service, event)
    for (const [client, name] of [
      [guest, 'Ana'],
      [other, 'Ben'],
    ] as const) {
      await client.post(`/api/gallery/${event.slug}/guest`, { name })
    }
    await marks.favor(guest, ids[0])
    await marks.favor(guest, ids[1])
    await marks.favor(other, ids[1])
    await marks.favor(other, ids[3])
    // The picks of a guest with favorites are only the favorites.
    await marks.like(other, ids[2])
    await marks.rate(other, 5, ids[2])
    const { guests } = (await admin.get(`/api/admin/events/${event.id}/guests`)).body
    const idOf = (name: string) => guests.find((one: { name: string }) => one.name === name).id
    ana = idOf('Ana')
    ben = idOf('Ben')
  })
  const listNames = async (query: string) => (await exportMarks(`format=list&separator=comma&${query}`)).text

  test('by one, by any, by all of several, by only one, by a minimum number', async () => {
    expect(await listNames('min_pickers=1')).toBe('IMG_1, IMG_2, plain')
    expect(await listNames('min_pickers=2')).toBe('IMG_2')
    expect(await listNames(`picked_by=${ana}`)).toBe('IMG_1, IMG_2')
    expect(await listNames(`picked_by=${ana}&pickers=only`)).toBe('IMG_1')
    expect(await listNames(`picked_by=${ana},${ben}`)).toBe('IMG_1, IMG_2, plain')
    expect(await listNames(`picked_by=${ana},${ben}&pickers=all`)).toBe('IMG_2')
    expect(await listNames(`picked_by=${ana},nobody&pickers=all`)).toBe('')
  })

  test('in combination with the other filters', async () => {
    await marks.rate(guest, 5, ids[1])
    expect(await listNames(`picked_by=${ana}&min_rating=4`)).toBe('IMG_2')
    await marks.mark(admin, { rating: 2 }, ids[0])
    expect(await listNames(`picked_by=${ana}&mark_source=mine`)).toBe('IMG_1')
  })

  test('hearts can become stars or a color, which later exports clear again', async () => {
    await marks.rate(guest, 2, ids[0])
    const { bytes, id } = await exportMarks(`format=xmp&picked_by=${ana}&unrated_as=5&unlabeled_as=green`)
    const files = readArchiveFiles(bytes)
    expect(files.get('IMG_1.xmp')?.toString()).toContain('xmp:Rating="2" xmp:Label="Green"/>')
    expect(files.get('IMG_2.xmp')?.toString()).toContain('xmp:Rating="5" xmp:Label="Green"/>')
    await marks.favor(guest, ids[1])
    const later = await exportMarks(`format=xmp&picked_by=${ana}&unrated_as=5&unlabeled_as=green&since=${id}`)
    const changed = readArchiveFiles(later.bytes)
    expect([...changed.keys()]).toEqual(['IMG_2.xmp'])
    expect(changed.get('IMG_2.xmp')?.toString()).toContain('xmp:Rating="0" xmp:Label=""/>')
  })

  test('changes since an export need no new export', async () => {
    const { id } = await exportMarks(`format=list&picked_by=${ana}`)
    const listChanges = async () => {
      const { status, body } = await admin.get(`/api/admin/feedback/events/${event.id}/exports/${id}/changes`)
      expect([status, body.export.id, body.export.photo_count]).toEqual([200, Number(id), 2])
      return [body.added, body.changed, body.removed]
    }
    expect(await listChanges()).toEqual([[], [], []])
    await marks.favor(guest, ids[3])
    await marks.favor(guest, ids[0])
    await marks.rate(guest, 3, ids[1])
    expect(await listChanges()).toEqual([[ids[3]], [ids[1]], [ids[0]]])
    const { exports } = (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body
    expect(exports).toHaveLength(1)
    const stranger = await createAccount(service, 'super_admin')
    const path = `/api/admin/feedback/events/${event.id}/exports/${id}/changes`
    expectProblem(await stranger.admin.get(path), 404, 'NOT_FOUND')
  })
})

describe('since an earlier export', () => {
  test('only what was added, changed or removed in between', async () => {
    await marks.rate(guest, 5)
    await marks.rate(guest, 3, ids[1])
    await marks.like(guest, ids[3])
    const { id } = await exportMarks('format=list')
    expect((await exportMarks(`format=list&since=${id}`)).text).toBe('')
    await marks.rate(guest, 4, ids[1])
    await marks.label(guest, 'red', ids[2])
    await marks.like(guest, ids[3])
    const later = await exportMarks(`format=xmp&since=${id}`)
    const files = readArchiveFiles(later.bytes)
    expect([...files.keys()]).toEqual(['IMG_2.xmp', '=cmd.xmp'])
    expect(files.get('=cmd.xmp')?.toString()).toContain(
      'about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="Red"/>',
    )
    expect((await exportMarks(`format=list&since=${later.id}`)).text).toBe('')
  })

  test('exported values that were removed later are cleared, nothing else', async () => {
    await marks.rate(guest, 5)
    await marks.label(guest, 'blue')
    await marks.rate(guest, 2, ids[1])
    const { id } = await exportMarks('format=list')
    await marks.label(guest, null)
    await marks.rate(guest, 0, ids[1])
    const files = readArchiveFiles((await exportMarks(`format=xmp&since=${id}`)).bytes)
    expect(files.get('IMG_1.xmp')?.toString()).toContain('xmp:Rating="5" xmp:Label=""/>')
    expect(files.get('IMG_2.xmp')?.toString()).toContain('xmp:Rating="0"/>')
  })

  test('a photo deleted in between is left out', async () => {
    await marks.rate(guest, 5)
    const { id } = await exportMarks('format=list')
    await admin.delete(`/api/admin/photos/${event.id}/photos/${ids[0]}`)
    expect((await exportMarks(`format=list&since=${id}`)).text).toBe('')
  })

  test('of another event or account returns 404', async () => {
    const { id } = await exportMarks('format=list')
    const other = await createEvent(api)
    expectProblem(await admin.get(path(`format=list&since=${id}`, other.id)), 404, 'NOT_FOUND')
    const stranger = await createAccount(service, 'super_admin')
    expectProblem(await stranger.admin.get(path(`format=list&since=${id}`)), 404, 'NOT_FOUND')
  })

  test('are listed, newest first, fifty at most', async () => {
    for (let round = 0; round < 52; round++) await exportMarks('format=list')
    const { exports } = (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body
    expect(exports).toHaveLength(50)
    expect(exports[0].id).toBeGreaterThan(exports[1].id)
    expect(Object.keys(exports[0])).toEqual(['id', 'format', 'photo_count', 'created_at', 'choice'])
    expect(exports[0].choice).toEqual({ marked_only: false, mark_source: 'either', logic: 'AND', pickers: 'any' })
  })
})

test('an unknown format, separator or language returns 400; an event of another owner 403', async () => {
  for (const query of [
    '',
    'format=pdf',
    'format=list&separator=x',
    'format=xmp&label_language=xx',
    'format=xmp&raw_extension=../x',
  ]) {
    expectProblem(await admin.get(path(query)), 400, 'VALIDATION_ERROR')
  }
  const stranger = await createAccount(service, 'admin')
  expectProblem(await stranger.admin.get(path('format=csv')), 403, 'FORBIDDEN')
})

test('a link on a page of another site creates no export', async () => {
  const { body } = await service.anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  const cookie = `admin_token=${body.token}`
  const followLink = (site: string) => service.anonymous.get(path('format=csv'), { cookie, 'sec-fetch-site': site })
  expectProblem(await followLink('cross-site'), 403, 'CROSS_ORIGIN')
  expect((await followLink('same-origin')).status).toBe(200)
  const { exports } = (await admin.get(`/api/admin/feedback/events/${event.id}/exports`)).body
  expect(exports).toHaveLength(1)
})
