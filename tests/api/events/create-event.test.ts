import { describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, ...body })
const getEvent = async (id: number) => (await api.get(`/api/v1/events/${id}`)).body
const createAndGet = async (body: Record<string, unknown>) => getEvent((await createEvent(api, body)).id)

describe('the response', () => {
  test('is 201 {id, slug, share_url, share_token}', async () => {
    const { status, body } = await post({})
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      slug: expect.stringMatching(/^wedding-ana-(and-)?ben-[0-9a-f]{6}$/),
      share_token: expect.any(String),
      share_url: `${service.url}/gallery/${body.slug}/${body.share_token}`,
    })
  })

  test('has a share token of at least 128 bits, unique for every event', async () => {
    const tokens = [(await post({})).body.share_token, (await post({})).body.share_token]
    expect(tokens[0]).not.toBe(tokens[1])
    for (const token of tokens) expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16)
  })

  test('uses the origin of the authenticated request if PUBLIC_URL is not set', async () => {
    const { body } = await api.post('/api/v1/events', { event_type: 'other', event_name: 'x', require_password: false })
    expect(new URL(body.share_url).origin).toBe(service.url)
  })
})

test('all optional fields have their defaults', async () => {
  const event = await createAndGet({})
  expect(event).toMatchObject({
    event_type: 'wedding',
    event_name: 'Ana & Ben',
    event_date: null,
    customer_name: null,
    customer_email: null,
    customer_phone: null,
    admin_email: null,
    welcome_message: '',
    require_password: false,
    photo_cap: 0,
    is_draft: false,
    is_archived: false,
    is_active: true,
    archived_at: null,
    allow_user_uploads: false,
    upload_category_id: null,
    default_photo_sort: 'upload_date_desc',
    allow_downloads: true,
    watermark_downloads: false,
    watermark_text: null,
    download_max_px: null,
    strip_location: true,
    reveal_at: null,
    moderate_uploads: false,
    feedback_enabled: true,
    allow_ratings: true,
    allow_color_labels: true,
    allow_comments: true,
    allow_likes: true,
    allow_favorites: true,
    moderate_comments: true,
    show_feedback_to_guests: true,
    require_guest_name: false,
    ask_guest_name: false,
    allow_notes: false,
    allow_signed_pictures: false,
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
    is_draft: true,
    allow_user_uploads: true,
    upload_category_id: category.id,
    default_photo_sort: 'filename_asc',
    allow_downloads: false,
    watermark_downloads: true,
    watermark_text: '© Studio',
    download_max_px: 2048,
    strip_location: false,
    reveal_at: '2031-07-06T08:00:00.000Z',
    moderate_uploads: true,
    feedback_enabled: false,
    allow_ratings: false,
    allow_color_labels: false,
    allow_comments: false,
    allow_likes: false,
    allow_favorites: false,
    moderate_comments: false,
    show_feedback_to_guests: false,
    require_guest_name: true,
    ask_guest_name: true,
    allow_notes: true,
    allow_signed_pictures: true,
  }
  expect(await createAndGet({ ...fields, password: 'open sesame', send_email: false })).toMatchObject(fields)
})

describe('older names', () => {
  test('host_name and host_email become customer_name and customer_email; only these are returned', async () => {
    const event = await createAndGet({ host_name: 'Dora', host_email: 'dora@example.com' })
    expect(event).toMatchObject({ customer_name: 'Dora', customer_email: 'dora@example.com' })
    expect(Object.keys(event)).not.toContain('host_name')
    expect(Object.keys(event)).not.toContain('host_email')
  })

  test('color_theme is theme_preset', async () => {
    const { theme_preset } = await createAndGet({ event_type: 'portrait' })
    expect(await createAndGet({ color_theme: theme_preset })).toMatchObject({ theme_preset, color_theme: theme_preset })
  })
})

describe('what is rejected', () => {
  const invalidFields: Array<[string, unknown]> = [
    ['event_type', undefined],
    ['event_type', 'nonsense'],
    ['event_type', ''],
    ['event_name', undefined],
    ['event_name', ''],
    ['event_name', '   '],
    ['event_name', null],
    ['event_date', '05.07.2031'],
    ['event_date', ''],
    ['event_date', '2031-02-30'],
    ['event_date', '2031-07-05T10:00:00Z'],
    ['customer_email', 'not a mail address'],
    ['admin_email', 'x@'],
    ['customer_phone', '1'.repeat(33)],
    ['expiration_days', 0],
    ['expiration_days', 366],
    ['expiration_days', 1.5],
    ['photo_cap', -1],
    ['photo_cap', 2.5],
    ['theme_preset', 'nonsense'],
    ['color_theme', 'nonsense'],
    ['header_style', 'huge'],
    ['default_photo_sort', 'upload_date'],
    ['default_photo_sort', 'random'],
    ['upload_category_id', 0],
    ['reveal_at', 'soon'],
    ['reveal_at', ''],
  ]
  test.each(invalidFields)('%s = %j returns 400', async (key, value) => {
    expectInvalidField(await post({ [key]: value }), key)
  })

  test('a rejected call creates nothing', async () => {
    const countEvents = async () => (await api.get('/api/v1/events')).body.pagination.total
    const before = await countEvents()
    await post({ event_date: 'nonsense' })
    await post({ event_name: '' })
    expect(await countEvents()).toBe(before)
  })
})
