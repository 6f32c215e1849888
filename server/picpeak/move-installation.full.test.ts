import { rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { jpeg } from '../../tests/support/media/pictures.ts'
import { openSource } from '../../tests/support/picpeak/open-source.ts'
import {
  makePicPeak,
  type PicPeakInstallation,
  picpeakToken,
  shareTokens,
  writeInto,
} from '../../tests/support/picpeak/picpeak-installation.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { createUser } from '../access/accounts.ts'
import { insertMovedCustomer } from '../people/customers/moved-customers.ts'
import '../events/categories/categories.ts' // The type of its table.
import { createEvent } from '../events/create-event.ts'
import { deleteEvent } from '../events/delete-event.ts'
import { eraseGuest } from '../feedback/guests/erase-guest.ts'
import { filesOfPhotos } from '../photos/list-photo-files.ts'
import { originalKey } from '../photos/photo-files.ts'
import { emptyPhotoTrash } from '../photos/trash/purge-trash.ts'
import { trashPhotos } from '../photos/trash/trash-photos.ts'
import type { Tx } from '../platform/database/tables.ts'
import { hashToken } from '../platform/security/hash-token.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { AccountChoice } from './move-context.ts'
import { type MoveOptions, moveInstallation } from './move-installation.ts'

const defaults: MoveOptions = { isDryRun: false, links: false, accounts: 'keep', onProgress: () => undefined }

async function move(ctx: AppContext, { folder }: PicPeakInstallation, options: Partial<MoveOptions> = {}, media = '') {
  const source = await (media ? openSource(folder, undefined, {}, media) : openSource(folder))
  return moveInstallation(ctx, source, { ...defaults, ...options }).finally(() => source.close())
}

const explanations = (report: Awaited<ReturnType<typeof move>>) =>
  report.differences.map(({ table, id, reason }) => `${table} ${id}: ${reason}`)

const readTable = async ({ db }: AppContext, table: string): Promise<Array<Record<string, unknown>>> =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)} order by 1, 2, 3`.execute(db)).rows

const written = [
  ...['events', 'photos', 'photo_locations', 'event_photo_totals', 'photo_marks', 'feedback', 'guests', 'categories'],
  ...['event_types', 'users', 'api_tokens', 'webhooks', 'customers', 'customer_events', 'settings', 'moved_rows'],
]

const readAll = async (ctx: AppContext) =>
  Object.fromEntries(await Promise.all(written.map(async (table) => [table, await readTable(ctx, table)] as const)))

describe('a PicPeak installation', () => {
  test('moves into an empty instance with its ids and everything else, as a dry run has said, and nothing is announced', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak()
    const before = await readAll(ctx)
    const dryRun = await move(ctx, picpeak, { isDryRun: true })
    expect(await readAll(ctx)).toEqual(before)
    const report = await move(ctx, picpeak)
    expect(dryRun.counts).toContainEqual({ kind: 'photos', source: 6, moved: 6 })
    expect(explanations(report)).toEqual([
      'events 6: The second link for the client has no counterpart. Assign the gallery to a customer.',
    ])
    expect(report.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
    expect(report.leftOut).toEqual([{ table: 'activity_logs', rows: 1, reason: 'Logs stay in PicPeak.' }])

    const { db } = ctx
    const events = await db.selectFrom('events').selectAll().orderBy('id').execute()
    expect(events).toMatchObject([
      {
        id: 5,
        slug: 'wedding-ana-ben',
        event_name: 'Ana & Ben',
        share_token: shareTokens.wedding,
        require_password: 1,
        password_hash: expect.stringMatching(/^\$2y\$04\$/),
        cover_photo_id: 2,
        header_style: 'hero',
        require_guest_name: 1,
        default_photo_sort: 'capture_date_asc',
        is_draft: 0,
      },
      { id: 6, require_password: 0, password_hash: null, allow_user_uploads: 1, upload_category_id: 3 },
      { id: 7, is_draft: 1, expires_at: Date.UTC(2026, 9, 30), feedback_enabled: 0 },
      { id: 8, is_archived: 1 },
    ])
    const names = ['id', 'source_filename', 'category_id', 'visibility', 'uploaded_by'] as const
    expect((await db.selectFrom('photos').select(names).orderBy('id').execute()).map(Object.values)).toEqual([
      [1, 'Blumenstrauß & Ring (1).jpg', 3, 'visible', 'admin'],
      [2, 'DSC_1001.jpg', 9, 'visible', 'admin'],
      [4, 'Ana_Ben_0003.jpg', null, 'hidden', 'admin'],
      [11, 'DSC_1.jpg', null, 'visible', 'admin'],
      [12, 'DSC_2.jpg', null, 'visible', 'guest'],
      [20, 'DSC_9.jpg', null, 'visible', 'admin'],
    ])
    const marks = ['photo_id', 'rating_sum', 'rating_count', 'like_count', 'favorite_count', 'comment_count'] as const
    const counted = await db.selectFrom('photo_marks').select(marks).orderBy('photo_id').execute()
    expect(counted.map(Object.values)).toEqual([
      [1, 6, 2, 0, 1, 0],
      [2, 0, 0, 0, 0, 1],
      [4, 0, 0, 1, 0, 0],
      [11, 0, 0, 1, 0, 0],
    ])
    const comments = await db.selectFrom('feedback').selectAll().where('kind', '=', 'comment').orderBy('id').execute()
    expect(comments).toMatchObject([
      { comment_text: 'Wie schön! № 1 <3', is_visible: 1 },
      { comment_text: 'Great', is_visible: 0, judged_at: null },
      { comment_text: 'Spam', is_visible: 0, judged_at: expect.any(Number) },
    ])
    const guests = (await readTable(ctx, 'guests')).map(({ name, email }) => [name, email])
    expect(guests).toHaveLength(4)
    expect(guests).toEqual(
      expect.arrayContaining([
        ['Ana', 'ana@example.com'],
        ['Paul', null],
        [null, null],
      ]),
    )
    for (const table of ['mails', 'webhook_deliveries', 'activity', 'arriving_photos']) {
      expect(await readTable(ctx, table)).toEqual([])
    }
    const stored: string[] = []
    for await (const { key } of ctx.storage.list('events')) stored.push(key)
    const known: string[] = []
    for await (const files of filesOfPhotos.list(db)) known.push(...files.map(({ key }) => key))
    expect(stored.toSorted()).toEqual(known.toSorted())

    expect(await db.selectFrom('users').selectAll().orderBy('id').execute()).toMatchObject([
      {
        username: 'picpeak',
        role: 'super_admin',
        is_active: 1,
        must_change_password: 0,
        password_hash: expect.stringMatching(/^\$2y\$/),
      },
      { username: 'second', role: 'editor', is_active: 0, must_change_password: 1 },
    ])
    expect(await db.selectFrom('api_tokens').selectAll().execute()).toMatchObject([
      { token_hash: hashToken(picpeakToken), scope: 'write', token_preview: 'pp_live_xWCQ2snM', revoked_at: null },
    ])
    const [webhook] = await db.selectFrom('webhooks').selectAll().execute()
    expect(webhook).toMatchObject({
      active: 0,
      events: '["event.published","photo.uploaded"]',
      filter: '{"data.event.event_type":["wedding"]}',
      template: '{"text":"${data.event.event_name}"}',
    })
    expect(ctx.encryption.decrypt(webhook?.secret ?? '', 'webhook secret')).toBe(
      'whsec_gL6mc9CFWLbeK9bCHVu0Sm8EDGyoTqX5',
    )
    expect(await ctx.settings.values()).toMatchObject({
      general_default_language: 'de',
      event_require_customer_name: false,
      event_require_admin_email: false,
    })
    expect(await readTable(ctx, 'event_types')).toContainEqual(expect.objectContaining({ slug_prefix: 'regatta' }))

    const customers = await db.selectFrom('customers').selectAll().orderBy('id').execute()
    expect(customers).toMatchObject([
      { name: 'Ana Example', email: 'Ana@Example.com', is_active: 1, password_hash: expect.stringMatching(/^\$2y\$/) },
      { name: 'Ben', is_active: 0 },
    ])
    const assignments = db.selectFrom('customer_events').select(['event_id', 'customer_id'])
    const assigned = await assignments.orderBy('event_id').execute()
    const [ana] = customers
    expect(assigned).toEqual([5, 8].map((event_id) => ({ event_id, customer_id: ana?.id })))
  })

  test('names customers that are here already, and conditions of webhooks that are not valid here', async () => {
    const ctx = await contextForTest()
    await receiveFirstPhoto(ctx)
    const existing = { name: 'Here', email: 'ana@example.com', password_hash: null, created_by: null }
    const state = { is_active: 1, created_at: 0, updated_at: 0, last_login_at: null } as const
    await insertMovedCustomer(ctx.db as Tx, { ...existing, ...state })
    const picpeak = await makePicPeak((rows) => {
      const [webhook] = rows.webhooks ?? []
      rows.webhooks = [
        { ...webhook, id: 1, filter: '{"data.event.id":5}' },
        { ...webhook, id: 2, filter: '{"a b":1}', template: '${open' },
      ]
      rows.event_customer_assignments?.push({ id: 3, event_id: 99, customer_account_id: 2 })
    })
    const report = await move(ctx, picpeak)
    expect(explanations(report)).toEqual(
      expect.arrayContaining([
        'customer_accounts 2: The customer Ana@Example.com exists here and stays as it is here.',
        'event_customer_assignments 3: Its event or its customer is not here.',
        'webhooks 1: Its filter names ids, which are others here. Correct it before you activate it.',
        expect.stringMatching(/^webhooks 2: Its filter is not moved: .* Correct it before you activate it\.$/),
        expect.stringMatching(/^webhooks 2: Its template is not moved: /),
      ]),
    )
    expect(await ctx.db.selectFrom('customers').select('name').orderBy('id').execute()).toEqual([
      { name: 'Here' },
      { name: 'Ben' },
    ])
  })

  test('changes nothing when it is moved again, and adds what is new in PicPeak', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak()
    await move(ctx, picpeak)
    const before = await readAll(ctx)
    await move(ctx, picpeak)
    expect(await readAll(ctx)).toEqual(before)

    await writeInto(join(picpeak.storage, 'events/active/birthday-lena/Lena_0003.jpg'), await jpeg({ seed: 6 }))
    picpeak.change(`
      insert into photos (id, event_id, filename, path, uploaded_at, visibility)
      values (30, 6, 'Lena_0003.jpg', 'birthday-lena/Lena_0003.jpg', 1795363180000, 'visible');
      insert into photo_feedback (id, event_id, photo_id, feedback_type, guest_identifier, created_at)
      values (40, 6, 30, 'like', 'd8e4', 1795363190000), (41, 5, 2, 'comment', 'eeee', 1795363190000);
      update photo_feedback set comment_text = 'New' where id = 41`)
    const report = await move(ctx, picpeak)
    expect(report.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
    const after = await readAll(ctx)
    const added = (table: string) => (after[table]?.length ?? 0) - (before[table]?.length ?? 0)
    expect(['photos', 'feedback', 'guests', 'events', 'categories'].map(added)).toEqual([1, 2, 1, 0, 0])
    const totals = after.event_photo_totals?.find(({ event_id }) => event_id === 6)
    expect(totals).toMatchObject({ photo_count: 3, visible_count: 3 })
  })

  test('does not bring back what was deleted or erased here, and names what was lost', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak()
    await move(ctx, picpeak)
    const { db } = ctx
    const anaId = String((await readTable(ctx, 'guests')).find(({ name }) => name === 'Ana')?.id)
    await eraseGuest(ctx, 5, anaId)
    const first = db.selectFrom('photos').select('filename').where('id', '=', 1)
    await ctx.storage.remove(originalKey(5, (await first.executeTakeFirstOrThrow()).filename))
    await db.deleteFrom('photos').where('id', '=', 11).execute()
    await db.deleteFrom('categories').where('id', '=', 9).execute()
    await db.deleteFrom('events').where('id', '=', 7).execute()
    await writeInto(join(picpeak.storage, 'events/active/wedding-ana-ben/Ana_9.jpg'), await jpeg({ seed: 8 }))
    picpeak.change(`
      insert into photos (id, event_id, filename, path, category_id, visibility)
      values (31, 5, 'Ana_9.jpg', 'wedding-ana-ben/Ana_9.jpg', 9, 'visible');
      insert into photo_feedback (id, event_id, photo_id, feedback_type, guest_id, guest_identifier, created_at)
      values (50, 5, 2, 'like', 1, 'c2934725', 1795363190000), (51, 6, 11, 'like', null, 'd9', 1795363190000)`)
    const report = await move(ctx, picpeak)
    expect(explanations(report)).toEqual(
      expect.arrayContaining([
        'events 7: The row was moved, and is no longer here.',
        'photos 1: The row is here, but its original is missing in the storage.',
        'photos 11: The row was moved, and is no longer here.',
        'photo_categories 9: The row was moved, and is no longer here.',
        'photo_feedback 50: The guest was erased here.',
        'photo_feedback 51: The photo 11 was moved and then deleted here.',
      ]),
    )
    expect(report.counts).toEqual(
      expect.arrayContaining([
        { kind: 'photos', source: 7, moved: 6 },
        { kind: 'originals', source: 7, moved: 5 },
      ]),
    )
    const photos = db.selectFrom('photos').select('category_id')
    expect(await photos.where('source_filename', '=', 'Ana_9.jpg').execute()).toEqual([{ category_id: null }])
    expect(await db.selectFrom('feedback').select('id').where('guest_id', '=', anaId).execute()).toEqual([])
  })

  test('moves beside other events with new ids and revoked tokens', async () => {
    const ctx = await contextForTest()
    const { event } = await receiveFirstPhoto(ctx)
    const picpeak = await makePicPeak((rows) => {
      for (const row of rows.events ?? []) if (row.id === 5) row.slug = event.slug
    })
    const report = await move(ctx, picpeak)
    expect(explanations(report)).toEqual(
      expect.arrayContaining([
        `events 5: The slug ${event.slug} is taken here: it becomes ${event.slug}-1. The share link opens all the same.`,
        'api_tokens 1: The token is revoked, because the ids that its program knows have changed.',
      ]),
    )
    expect(report.hasKeptIds).toBe(false)
    const { db } = ctx
    const wedding = await db.selectFrom('events').selectAll().where('share_token', '=', shareTokens.wedding).execute()
    expect(wedding).toMatchObject([{ slug: `${event.slug}-1` }])
    const { rows: oldSlugs } = await sql`select event_id, slug from old_slugs order by slug`.execute(db)
    expect(oldSlugs).toEqual([event.slug, 'wedding-of-ana'].sort().map((slug) => ({ event_id: wedding[0]?.id, slug })))
    expect(wedding[0]?.id).toBeGreaterThan(event.id)
    expect(await db.selectFrom('photos').select('id').execute()).toHaveLength(7)
    expect(await db.selectFrom('api_tokens').select('revoked_at').where('name', '=', 'Lightroom').execute()).toEqual([
      { revoked_at: expect.any(Number) },
    ])
  })

  test('with ids that use up all ids, or that were used here before, gets other ids', async () => {
    const ctx = await contextForTest()
    const { event, photo } = await receiveFirstPhoto(ctx)
    await deleteEvent(ctx, event.id)
    const largest = Number.MAX_SAFE_INTEGER
    const picpeak = await makePicPeak((rows) => {
      for (const table of ['photos', 'photo_feedback'])
        for (const row of rows[table] ?? []) if (row.event_id === 6) row.event_id = largest
      for (const row of rows.events ?? []) if (row.id === 6) row.id = largest
      for (const row of rows.events ?? []) if (row.id === 7) row.id = event.id
      for (const row of rows.photos ?? []) if (row.id === 12) row.id = largest
      for (const row of rows.photo_categories ?? []) if (row.id === 9) row.id = largest
    })
    const report = await move(ctx, picpeak)
    const { db } = ctx
    const ids = async (table: 'events' | 'photos' | 'categories') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => Number(id))
    expect(photo.id).toBe(1)
    // PicPeak has the photos 1, 2, 4, 11, 20 and the largest.
    expect(await ids('photos')).toEqual([2, 4, 11, 20, 21, 22])
    expect(await ids('events')).toEqual([5, 8, 9, 10])
    expect(Math.max(...(await ids('categories')))).toBeLessThan(100)
    expect(explanations(report)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^photos 1: .* (21|22)\.$/),
        expect.stringMatching(/^photos 9007199254740991: .* (21|22)\.$/),
        expect.stringMatching(/^events 1: .* (9|10)\.$/),
        expect.stringMatching(/^events 9007199254740991: .* (9|10)\.$/),
      ]),
    )
    const user = await db.selectFrom('users').selectAll().orderBy('id').executeTakeFirstOrThrow()
    const body = { event_type: 'wedding', event_name: 'Next', require_password: false }
    const next = await createEvent(ctx, { user, scope: null, via: 'header' }, body)
    const added = await receivePhoto(ctx, { event: next, file: await stagePicture(ctx, 64), uploadedBy: 'api' })
    expect([next.id, added.id]).toEqual([11, 23])
  })

  test('continues where it was interrupted, and keeps ids that have not arrived free meanwhile', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak()
    const interrupted = move(ctx, picpeak, {
      onProgress: ({ photos }) => {
        if (photos === 4) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    const event = await ctx.db.selectFrom('events').selectAll().where('id', '=', 5).executeTakeFirstOrThrow()
    for (const width of [61, 62]) {
      const file = await stagePicture(ctx, width)
      const { id } = await receivePhoto(ctx, { event, file, uploadedBy: 'api' })
      expect(id).toBeGreaterThan(20)
      await trashPhotos(ctx, event, [id])
    }
    await emptyPhotoTrash(ctx, event.id)
    const report = await move(ctx, picpeak)
    expect(report.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
    const photos = await ctx.db.selectFrom('photos').select('id').orderBy('id').execute()
    expect(photos.map(({ id }) => Number(id))).toEqual([1, 2, 4, 11, 12, 20])
  })

  test('with damage loses nothing that is whole, and every other row is named', async () => {
    const ctx = await contextForTest()
    const rating = { event_id: 5, photo_id: 1, feedback_type: 'rating', guest_id: 1 }
    const picpeak = await makePicPeak((rows) => {
      rows.photos?.push(
        { id: 90, event_id: 5, filename: null },
        { id: 91, event_id: 5, filename: '../../../../data/photo_sharing.db', path: '../../data/photo_sharing.db' },
        { id: 92, event_id: 99, filename: 'nowhere.jpg' },
      )
      rows.photo_feedback?.push(
        { ...rating, id: 95, rating: 9 },
        { id: 96, event_id: 5, photo_id: 1, feedback_type: 'wave', guest_id: 1 },
        { id: 97, event_id: 5, photo_id: 700, feedback_type: 'like', guest_id: 1 },
        { ...rating, id: 98, rating: 5, created_at: 1_795_363_990_000 },
      )
      rows.events?.push({ id: 50, slug: 'no-name' })
    })
    picpeak.change(
      'alter table photos add column mood text; create table moods (id integer primary key); insert into moods values (1)',
    )
    await rm(join(picpeak.storage, 'events/active/birthday-lena/Lena_0001.jpg'))
    const missing = 'photos 11: The file events/active/birthday-lena/Lena_0001.jpg is missing.'
    expect(explanations(await move(ctx, picpeak, { isDryRun: true }))).toContain(missing)
    await writeFile(join(picpeak.storage, 'events/active/birthday-lena/Lena_0002.jpg'), 'no picture')
    await writeFile(join(picpeak.storage, 'events/archived/old-reunion.zip'), 'no archive')

    const report = await move(ctx, picpeak)
    expect(explanations(report).toSorted()).toEqual([
      'events 50: The row has no id or no name.',
      'events 6: The second link for the client has no counterpart. Assign the gallery to a customer.',
      'events 8: The archive events/archived/old-reunion.zip is missing or damaged.',
      'photo_feedback 1: The row 98 is the newer mark of the same guest on this photo.',
      'photo_feedback 6: The photo 11 was not moved.',
      'photo_feedback 7: The photo 11 was not moved.',
      'photo_feedback 8: The photo 12 was not moved.',
      'photo_feedback 95: The rating is not 1 to 5.',
      'photo_feedback 96: The kind "wave" is unknown.',
      'photo_feedback 97: The photo 700 is not in the event 5.',
      missing,
      expect.stringMatching(/^photos 12: DSC_2.jpg: /),
      'photos 20: The file events/active/old-reunion/Old_0001.jpg is missing.',
      'photos 90: The row has no id or names no file.',
      'photos 91: The file events/active/../../data/photo_sharing.db is missing.',
      'photos 92: The row is missing here.',
    ])
    expect(report.leftOut).toContainEqual({ table: 'moods', rows: 1, reason: 'Proofroom has nothing like it.' })
    const photos = await ctx.db.selectFrom('photos').select('id').orderBy('id').execute()
    expect(photos.map(({ id }) => id)).toEqual([1, 2, 4])
  })

  test('takes photos that PicPeak only refers to from their folder', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak((rows) => {
      for (const row of rows.events ?? []) if (row.id === 5) row.external_path = 'ana'
      const external = { event_id: 5, path: 'none', source_origin: 'external' }
      rows.photos?.push(
        { id: 40, filename: 'a.jpg', ...external, external_relpath: 'ana/a.jpg' },
        { id: 41, filename: 'b.jpg', ...external, external_relpath: 'b.jpg' },
        { id: 42, filename: 'c.jpg', ...external, external_relpath: '../c.jpg' },
      )
    })
    const media = await temporaryFolder()
    await writeInto(join(media, 'ana/a.jpg'), await jpeg({ seed: 40 }))
    await writeInto(join(media, 'ana/b.jpg'), await jpeg({ seed: 41 }))
    expect(explanations(await move(ctx, picpeak, { isDryRun: true }))).toContain(
      'photos 40: The file ana/a.jpg is in the folder of external media. Name it with --external-media.',
    )
    const report = await move(ctx, picpeak, {}, media)
    expect(explanations(report)).toContain('photos 42: The file ../c.jpg is missing in the folder of external media.')
    const photos = await ctx.db.selectFrom('photos').select('id').where('id', '>=', 40).orderBy('id').execute()
    expect(photos.map(({ id }) => id)).toEqual([40, 41])
  })

  test('leaves out originals that are too large, as a dry run has said', async () => {
    const ctx = await contextForTest()
    const picpeak = await makePicPeak((rows) => {
      for (const row of rows.photos ?? []) if (row.id === 12) row.media_type = 'video'
    })
    const folder = join(picpeak.storage, 'events/active/birthday-lena')
    await truncate(join(folder, 'Lena_0001.jpg'), 2 ** 30 + 1)
    await truncate(join(folder, 'Lena_0002.jpg'), 100_000 * 2 ** 20 + 1)
    for (const isDryRun of [true, false]) {
      const report = await move(ctx, picpeak, { isDryRun })
      expect(explanations(report)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^photos 11: .*: File too large. Maximum size is 1024 MB per file.$/),
          expect.stringMatching(/^photos 12: .*: File too large. Maximum size is 100000 MB per file.$/),
        ]),
      )
      expect(report.counts).toContainEqual({ kind: 'photos', source: 6, moved: 4 })
    }
  })

  describe('of somebody else', () => {
    /** The second account of PicPeak is a super admin too, named like the account here, and has a token of the scope admin. */
    const makeForeign = () =>
      makePicPeak((rows) => {
        for (const row of rows.admin_users ?? []) if (row.id === 2) Object.assign(row, { ...namesake, role_id: 1 })
        const [token] = rows.api_tokens ?? []
        const scopes = 'read,write,admin'
        rows.api_tokens?.push({ ...token, id: 2, name: 'Foreign', hashed_token: 'a'.repeat(64), created_by: 2, scopes })
        rows.api_tokens?.push({ ...token, id: 3, name: 'Wide', hashed_token: 'b'.repeat(64), scopes })
        rows.admin_users?.push({ id: 3, username: 'late', email: 'late@example.com', role_id: 2, is_active: 1 })
        for (const row of rows.events ?? []) if (row.id === 6) row.created_by = 3
      })
    const namesake = { username: 'ana', email: 'other@example.com', is_active: 1 }

    async function contextWithOwner() {
      const ctx = await contextForTest()
      const names = { username: 'ana', email: 'ana@studio.example', password: 'a long password' }
      await createUser(ctx, { ...names, role: 'super_admin', mustChangePassword: false })
      await ctx.db.updateTable('users').set({ last_login_at: 1 }).execute()
      return ctx
    }
    const accountsOf = async ({ db }: AppContext) =>
      (await db.selectFrom('users').select(['username', 'role']).orderBy('id').execute()).map(Object.values)
    const tokensOf = async ({ db }: AppContext) =>
      (await db.selectFrom('api_tokens').select(['name', 'scope']).orderBy('id').execute()).map(Object.values)
    const ownersOf = async ({ db }: AppContext) => {
      const events = db.selectFrom('events').leftJoin('users', 'users.id', 'events.created_by')
      return (await events.select('username').orderBy('events.id').execute()).map(({ username }) => username)
    }

    test('a dry run lists the accounts and tokens with what they could do here', async () => {
      const ctx = await contextWithOwner()
      const picpeak = await makeForeign()
      const access = async (accounts: AccountChoice) => (await move(ctx, picpeak, { isDryRun: true, accounts })).access
      expect(await access('keep')).toEqual({
        accounts: [
          { username: 'picpeak', email: 'studio@example.com', role: 'super_admin', isActive: true },
          { username: 'late', email: 'late@example.com', role: 'editor', isActive: true },
        ],
        tokens: [
          { name: 'Lightroom', username: 'picpeak', role: 'super_admin', scope: 'write' },
          { name: 'Foreign', username: 'ana', role: 'super_admin', scope: 'admin' },
          { name: 'Wide', username: 'picpeak', role: 'super_admin', scope: 'admin' },
        ],
      })
      expect(await access('editors')).toEqual({
        accounts: [
          { username: 'picpeak', email: 'studio@example.com', role: 'editor', isActive: true },
          { username: 'late', email: 'late@example.com', role: 'editor', isActive: true },
        ],
        tokens: [
          { name: 'Lightroom', username: 'picpeak', role: 'editor', scope: 'write' },
          { name: 'Wide', username: 'picpeak', role: 'editor', scope: 'write' },
        ],
      })
      expect(await access('none')).toEqual({ accounts: [], tokens: [] })
    })

    test('with --accounts editors gives nobody more than the role editor and the scope write', async () => {
      const ctx = await contextWithOwner()
      const picpeak = await makeForeign()
      const report = await move(ctx, picpeak, { accounts: 'editors' })
      expect(await accountsOf(ctx)).toEqual([
        ['ana', 'super_admin'],
        ['picpeak', 'editor'],
        ['late', 'editor'],
      ])
      expect(await tokensOf(ctx)).toEqual([
        ['Lightroom', 'write'],
        ['Wide', 'write'],
      ])
      expect(explanations(report)).toContain(
        'api_tokens 2: Its account was here before this import. Make a new token here.',
      )
      expect(await ownersOf(ctx)).toEqual(['picpeak', 'late', 'picpeak', 'picpeak'])
    })

    test('with --accounts none brings nobody, and the first super admin owns the events', async () => {
      const ctx = await contextWithOwner()
      const report = await move(ctx, await makeForeign(), { accounts: 'none' })
      expect(await accountsOf(ctx)).toEqual([['ana', 'super_admin']])
      expect([await tokensOf(ctx), await readTable(ctx, 'webhooks')]).toEqual([[], []])
      expect(await ownersOf(ctx)).toEqual(['ana', 'ana', 'ana', 'ana'])
      expect(report.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
      expect(report.leftOut).toEqual(
        expect.arrayContaining([
          { table: 'admin_users', rows: 3, reason: 'Left out by --accounts none.' },
          { table: 'api_tokens', rows: 3, reason: 'Left out by --accounts none.' },
          { table: 'webhooks', rows: 1, reason: 'Left out by --accounts none.' },
        ]),
      )
    })
  })

  test('with hard links, the originals are the files of PicPeak', async () => {
    const ctx = await contextForTest()
    const { storage, ...picpeak } = await makePicPeak()
    await move(ctx, { storage, ...picpeak }, { links: true })
    const { nlink } = await stat(join(storage, 'events/active/birthday-lena/Lena_0001.jpg'))
    // With S3, the originals are not on a disk.
    expect(nlink).toBe(ctx.config.s3 === null ? 2 : 1)
    expect(await readTable(ctx, 'photos')).toHaveLength(6)
  })

  test('is not taken from a folder that has none', async () => {
    await expect(openSource(await temporaryFolder())).rejects.toThrow('has no database of PicPeak')
    const { database, storage } = await makePicPeak()
    await writeFile(database, 'no database')
    await expect(openSource(database)).rejects.toThrow('is no SQLite database that can be read')
    await expect(openSource(join(storage, '..'), join(storage, 'nowhere'))).rejects.toThrow('There is no folder')
  })
})
