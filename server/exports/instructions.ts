import { pictureUnits } from '../../contract/gallery/thread-kinds.ts'
import type { ThreadRecord } from '../../contract/gallery/threads.ts'
import type { TranslateCatalog } from '../../locales/catalogs.ts'

type Thread = Pick<ThreadRecord, 'id' | 'photo_id' | 'kind' | 'status' | 'guest_name' | 'text' | 'created_at'> &
  Pick<ThreadRecord, 'x' | 'y' | 'w' | 'h' | 'message_count'> & {
    messages: ReadonlyArray<Pick<ThreadRecord['messages'][number], 'by' | 'text' | 'is_visible' | 'author_name'>>
  }

type Words = TranslateCatalog<'exports'>

/** Far above what a field of a photo program shows. */
const maxLength = 8_000

/**
 * Returns the words of open threads by photo id, oldest first, each answer on a line of its own. Leaves out hidden
 * comments and answers, and comments that await approval unless `withPending`.
 */
export function formatInstructions(
  threads: Iterable<Thread>,
  { t, withPending = false }: { t: Words; withPending?: boolean },
): Map<number, string> {
  const shown = [...threads].filter(
    ({ photo_id, status }) => photo_id !== null && (status === 'approved' || (withPending && status === 'pending')),
  )
  const byPhoto = Map.groupBy(
    shown.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id),
    ({ photo_id }) => Number(photo_id),
  )
  return new Map(
    [...byPhoto].map(([photoId, some]) => [photoId, shorten(some.flatMap((one) => formatThread(one, t)).join('\n'))]),
  )
}

/** No line of a text can look like the answer of somebody else. */
const toLine = (text: string): string => text.replace(/\s*\n\s*(?=-)/g, ' ')

function formatThread(thread: Thread, t: Words): string[] {
  const { messages, message_count } = thread
  const answers = messages
    .filter((message) => message.is_visible)
    .map(({ by, text, author_name }) => {
      const guest = by === 'operator' ? t('studio') : (author_name ?? t('unnamedGuest'))
      return `- ${t('comment', { guest, text: toLine(text) })}`
    })
  // A list has only the latest answers of a thread.
  const hasMore = message_count > messages.length
  // The text was deleted after it was answered.
  if (thread.text === null && answers.length === 0) return []
  return [formatBeginning(thread, t), ...(hasMore ? ['- …'] : []), ...answers]
}

function formatBeginning({ kind, status, guest_name, text, ...mark }: Thread, t: Words): string {
  const values = { guest: guest_name ?? t('unnamedGuest'), text: text === null ? '…' : toLine(text) }
  switch (kind) {
    case 'comment':
      return t(status === 'pending' ? 'pendingComment' : 'comment', values)
    case 'note':
      return t('privateNote', values)
    case 'pin':
    case 'box':
      return t(kind, { ...values, place: t(findPlace(mark)) })
  }
}

const places = [
  ['upperLeft', 'top', 'upperRight'],
  ['left', 'center', 'right'],
  ['lowerLeft', 'bottom', 'lowerRight'],
] as const

/** Returns the ninth of the picture that has the pin, or the center of the box. */
function findPlace({ x, y, w, h }: Pick<Thread, 'x' | 'y' | 'w' | 'h'>) {
  const third = (start: number | null, size: number | null) =>
    Math.min(2, Math.floor((((start ?? 0) + (size ?? 0) / 2) * 3) / pictureUnits))
  return places[third(y, h)]?.[third(x, w)] ?? 'center'
}

const shorten = (text: string): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()} …`)
