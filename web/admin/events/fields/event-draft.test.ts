import { expect, test } from 'vitest'
import { mapSwitches } from '../../../../contract/event-features.ts'
import type { Schemas } from '../../api/api.ts'
import { endOfDayAfter, parseLocalDateTime } from '../local-time.ts'
import { createEventBody, createEventDraft, diffEventDrafts, type EventDraft, isDraftChanged } from './event-draft.ts'

const switches = mapSwitches(() => true)
const defaults: Schemas['EventDefaults'] = {
  required: [],
  require_password: true,
  expiration_days: 30,
  is_phone_kept: false,
  welcome_message: 'Hello',
  photo_cap: 0,
  default_photo_sort: 'upload_date_desc',
  package_presets: [],
  download_max_px: 2048,
  ...switches,
}
const before = createEventDraft(defaults)
const changes = (changed: Partial<EventDraft>) => diffEventDrafts(before, { ...before, ...changed })

test('diffEventDrafts returns no changes for an unchanged form', () => {
  expect(changes({})).toEqual({})
  expect(isDraftChanged(before, { ...before })).toBe(false)
})

test.each<[Partial<EventDraft>, object]>([
  [{ customer_name: 'Ana' }, { customer_name: 'Ana' }],
  [{ download_max_px: '' }, { download_max_px: null }],
  [{ photo_cap: '500' }, { photo_cap: 500 }],
  [{ welcome_message: '' }, { welcome_message: '' }],
  [{ expires_at: '' }, { expires_at: '' }],
  [
    { upload_category_id: '4', allow_user_uploads: true },
    { upload_category_id: 4, allow_user_uploads: true },
  ],
  [{ allow_likes: false }, { allow_likes: false }],
  [{ password: 'tulips' }, { password: 'tulips' }],
])('diffEventDrafts returns for %j the body %j', (changed, body) => {
  expect(changes(changed)).toEqual(body)
  expect(isDraftChanged(before, { ...before, ...changed })).toBe(true)
})

test('diffEventDrafts sends a time with its time zone', () => {
  const { reveal_at } = changes({ reveal_at: '2030-05-01T18:00' })
  expect(reveal_at).toMatch(/^2030-0[45]-\d\dT\d\d:00:00\.000Z$/)
})

test('leaves the expiry empty when the settings require the user to choose it', () => {
  expect(before.expires_at).not.toBe('')
  expect(createEventDraft({ ...defaults, required: ['expiration_days'] }).expires_at).toBe('')
})

const body = (typed: Partial<EventDraft>, isDraft = false) =>
  createEventBody({ first: before, draft: { ...before, ...typed }, isPhoneKept: true, isDraft, shouldSendMail: true })

test('createEventBody sends the required fields, the expiry that the form shows, the switches and what the user changed', () => {
  expect(body({ event_name: 'Ana', event_type: 'wedding', password: 'tulips', allow_likes: false })).toEqual({
    ...switches,
    event_name: 'Ana',
    event_type: 'wedding',
    require_password: true,
    expires_at: parseLocalDateTime(endOfDayAfter(30)),
    default_photo_sort: 'upload_date_desc',
    password: 'tulips',
    allow_likes: false,
  })
})

test('createEventBody sends the required fields of an empty form, so that the API reports what is missing', () => {
  expect(body({})).toEqual({
    ...switches,
    event_name: '',
    event_type: '',
    require_password: true,
    expires_at: parseLocalDateTime(endOfDayAfter(30)),
    default_photo_sort: 'upload_date_desc',
  })
})

test('createEventBody leaves out a password that is not required, and the mail option of a draft', () => {
  expect(body({ password: 'tulips', require_password: false })).not.toHaveProperty('password')
  expect(body({ customer_email: 'ana@example.com' })).toMatchObject({ send_email: true })
  expect(body({ customer_email: 'ana@example.com' }, true)).not.toHaveProperty('send_email')
})
