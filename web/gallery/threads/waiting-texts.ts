import { signal } from '@preact/signals'
import { createStore, promisifyRequest, values } from 'idb-keyval'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { getOutcome, type Outcome } from '../marks/mark-outcome.ts'
import { guestId } from '../marks/own-marks.ts'
import { withMarksLock } from '../marks/send-marks.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { call } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import type { Mark } from './mark-geometry.ts'
import { showThread } from './photo-threads.ts'
import { createDraft, type Draft } from './text-draft.ts'

/** An answer, or a pin or a box, as the API takes it. */
export type WaitingText = {
  /** The `Idempotency-Key`. */
  id: string
  slug: string
  /** The text must never be sent for another guest. */
  guestId: string
  photoId: number | null
  /** Null for a pin or a box. */
  threadId: number | null
  body: { text: string } & Partial<Mark>
  at: number
}

/** The text of the form, which is also there again if the service rejects a text that has waited. */
export function createTextDraft({ photoId, threadId }: Pick<WaitingText, 'photoId' | 'threadId'>): Draft {
  const name = `${page.slug} ${threadId === null ? `photo ${photoId}` : `thread ${threadId}`}`
  return createDraft(`text ${name}`, `text sent ${name}`)
}

export const waitingTexts = signal<readonly WaitingText[]>([])

// Change this name when the format changes: pages of two releases run at the same time.
const store = createStore('proofroom-texts-1', 'texts')

// `set` and `del` of the library would become a part of the script that the grid waits for.
const write = (change: (texts: IDBObjectStore) => void): Promise<unknown> =>
  store('readwrite', (texts) => {
    change(texts)
    return promisifyRequest(texts.transaction)
  }).catch(() => undefined)

const retryMs = 20_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends the text. Without a connection, it is kept and sent later. Throws ApiError. */
export async function sendText({ id, ...text }: Omit<WaitingText, 'slug' | 'guestId' | 'at'>): Promise<void> {
  const whole = { id, slug: page.slug, guestId: guestId ?? '', at: Date.now(), ...text }
  // Earlier answers come first.
  if (waitingTexts.peek().length > 0) await sendWaitingTexts()
  await post(whole).catch(async (error) => {
    if (outcomeOf(error) !== 'later') throw error
    waitingTexts.value = [...waitingTexts.peek(), whole]
    // Without the store, the text waits in memory.
    await write((texts) => texts.put(whole, id))
    scheduleRetry()
  })
}

async function post({ id, guestId, photoId, threadId, body }: WaitingText): Promise<void> {
  const path = threadId === null ? `/photos/${photoId}/threads` : `/threads/${threadId}/messages`
  const headers = { 'idempotency-key': id }
  const thread = await call<typeof GuestThread>(path, { body: { ...body, guest_id: guestId || undefined }, headers })
  // Captive portals respond in place of the service.
  if (typeof thread.id !== 'number') throw new Unreachable()
  showThread(photoId, thread)
}

function outcomeOf(error: unknown): Outcome['is'] {
  if (!(error instanceof ApiError)) return error instanceof Unreachable ? 'later' : 'refused'
  const { status, code } = error
  return getOutcome({ status, body: { code: code || null }, retryAfter: null }, 0).is
}

const scheduleRetry = () => {
  clearTimeout(timer)
  timer = setTimeout(sendWaitingTexts, retryMs)
}

/** Sends what waits, oldest first. Tabs take turns, so that each text is sent once. */
async function sendWaitingTexts(): Promise<void> {
  await withMarksLock(async () => {
    const stored = await values<WaitingText>(store).catch(() => [])
    const texts = new Map([...stored, ...waitingTexts.peek()].map((text) => [text.id, text]))
    const isOwn = (text: WaitingText) => text.slug === page.slug && text.guestId === guestId
    waitingTexts.value = [...texts.values()].filter(isOwn).toSorted((a, b) => a.at - b.at)
    for (const text of waitingTexts.peek()) {
      try {
        await post(text)
      } catch (error) {
        // Texts of an ended session and of another guest wait, too.
        if (outcomeOf(error) !== 'refused') return scheduleRetry()
        createTextDraft(text).save(text.body.text)
        showNotice(t('markNotKept', { why: errorMessage(error) }), { isError: true })
      }
      waitingTexts.value = waitingTexts.peek().filter(({ id }) => id !== text.id)
      await write((texts) => texts.delete(text.id))
    }
  })
}

void sendWaitingTexts()
addEventListener('online', () => void sendWaitingTexts())
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void sendWaitingTexts())
