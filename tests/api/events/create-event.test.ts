import { expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, ...body })
const getEvent = async (id: number) => (await api.get(`/api/v1/events/${id}`)).body
const createAndGet = async (body: Record<string, unknown>) => getEvent((await createEvent(api, body)).id)

test('the response is 201 {id, slug, share_url, share_token}', async () => {
  const { status, body } = await post({})
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    slug: expect.stringMatching(/^wedding-ana-(and-)?ben-[0-9a-f]{6}$/),
    share_token: expect.stringMatching(/^[\w-]{22,}$/),
    share_url: `${service.url}/gallery/${body.slug}/${body.share_token}`,
  })
})

const words = (text: string) => text.trim().split(/\s+/)
const setAll = (keys: string[], value: unknown) => Object.fromEntries(keys.map((key) => [key, value]))
const onByDefault = words(`allow_downloads strip_location feedback_enabled allow_ratings allow_color_labels
  allow_comments allow_likes allow_favorites moderate_comments show_feedback_to_guests`)
const offByDefault = words(`is_draft allow_user_uploads watermark_downloads moderate_uploads require_guest_name
  ask_guest_name allow_notes allow_signed_pictures allow_raw_downloads`)
const nullByDefault = words(`event_date customer_name customer_email customer_phone admin_email archived_at
  upload_category_id watermark_text download_max_px reveal_at language`)

test('all optional fields have their defaults', async () => {
  expect(await createAndGet({})).toMatchObject({
    ...{ event_type: 'wedding', event_name: 'Ana & Ben', welcome_message: '', photo_cap: 0 },
    ...{ require_password: false, is_archived: false, is_active: true, default_photo_sort: 'upload_date_desc' },
    ...setAll(onByDefault, true),
    ...setAll(offByDefault, false),
    ...setAll(nullByDefault, null),
  })
})

test('all fields are stored as they are sent', async () => {
  const [category] = (await admin.get('/api/admin/categories/global')).body
  const fields = {
    event_type: 'corporate',
    event_name: 'Summer party',
    event_date: '2031-07-05',
    customer_name: 'Cleo',
    customer_email: 'cleo@example.com',
    admin_email: 'studio@example.com',
    welcome_message: '# Hello\n\nEnjoy.',
    require_password: true,
    photo_cap: 500,
    header_style: 'none',
    typeface: 'literata',
    upload_category_id: category.id,
    default_photo_sort: 'filename_asc',
    watermark_text: '© Studio',
    download_max_px: 2048,
    reveal_at: '2031-07-06T08:00:00.000Z',
    ...setAll(onByDefault, false),
    ...setAll(offByDefault, true),
  }
  expect(await createAndGet({ ...fields, password: 'open sesame', send_email: false })).toMatchObject(fields)
})

test('older names set the fields of today, and only customer_name and customer_email are returned', async () => {
  const event = await createAndGet({ host_name: 'Dora', host_email: 'dora@example.com', color_theme: 'noir' })
  expect(event).toMatchObject({ customer_name: 'Dora', customer_email: 'dora@example.com', theme_preset: 'noir' })
  expect(event.color_theme).toBe('noir')
  for (const name of ['host_name', 'host_email']) expect(event).not.toHaveProperty(name)
})

test('an invalid field is 400, and nothing is created', async () => {
  const invalidFields: Record<string, unknown[]> = {
    event_type: [undefined, 'nonsense'],
    event_name: [undefined, '   '],
    event_date: ['05.07.2031', '2031-02-30'],
    customer_email: ['not a mail address'],
    admin_email: ['x@'],
    expiration_days: [0, 366],
    photo_cap: [-1, 2.5],
    theme_preset: ['nonsense'],
    header_style: ['huge'],
    default_photo_sort: ['upload_date'],
    upload_category_id: [0],
    reveal_at: ['soon'],
  }
  const countEvents = async () => (await api.get('/api/v1/events')).body.pagination.total
  const before = await countEvents()
  for (const [key, values] of Object.entries(invalidFields)) {
    for (const value of values) expectInvalidField(await post({ [key]: value }), key)
  }
  expect(await countEvents()).toBe(before)
})
