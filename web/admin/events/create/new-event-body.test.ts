import { expect, test } from 'vitest'
import type { Schemas } from '../../api/api.ts'
import { createEventDraft, type EventDraft, eventSwitches } from '../fields/event-draft.ts'
import { createEventBody } from './new-event-body.ts'

const defaults = {
  required: [],
  require_password: true,
  expiration_days: 30,
  is_phone_kept: true,
  welcome_message: '',
  photo_cap: 0,
  default_photo_sort: 'upload_date_desc',
  download_max_px: null,
  ...(Object.fromEntries(eventSwitches.map((key) => [key, true])) as Record<(typeof eventSwitches)[number], boolean>),
} satisfies Schemas['EventDefaults']
const first = createEventDraft(defaults)

const body = (typed: Partial<EventDraft>, isDraft = false) =>
  createEventBody({ first, defaults, isDraft, shouldSendMail: true, draft: { ...first, ...typed } })

test('sends the required fields and those that the user changed', () => {
  expect(body({ event_name: 'Ana', event_type: 'wedding', password: 'tulips', allow_likes: false })).toEqual({
    event_name: 'Ana',
    event_type: 'wedding',
    require_password: true,
    password: 'tulips',
    allow_likes: false,
  })
})

test('sends the required fields of an empty form, so that the API reports what is missing', () => {
  expect(body({})).toEqual({ event_name: '', event_type: '', require_password: true })
})

test('leaves out a password when no password is required', () => {
  expect(body({ password: 'tulips', require_password: false })).not.toHaveProperty('password')
})

test('sends the mail option with a live event but not with a draft', () => {
  expect(body({ customer_email: 'ana@example.com' })).toMatchObject({ send_email: true })
  expect(body({ customer_email: 'ana@example.com' }, true)).not.toHaveProperty('send_email')
})
