import type { Readable } from 'node:stream'
import { type ListThreadsQuery, maxMessagesPerThread, type ThreadRecord } from '../../../contract/gallery/threads.ts'
import type { Language } from '../../../contract/languages.ts'
import type { TranslateCatalog } from '../../../locales/catalogs.ts'
import { type CsvColumn, createCsv } from '../../platform/text/csv.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { loadGuestNames } from '../guests/guest-names.ts'
import { listThreads } from './list-threads.ts'

/** At most 4,000 answers, because a thread has at most 200. */
const threadsPerQuery = 20

type Column = CsvColumn<ThreadRecord>
type Message = ThreadRecord['messages'][number]

/** Returns a row for each thread that matches the query, with all its answers. */
export async function createThreadsCsv(
  ctx: AppContext,
  eventId: number,
  query: ListThreadsQuery,
  hasPrivate: boolean,
): Promise<Readable> {
  const { headers } = query
  const columns = headers === 'keys' ? keyColumns : await createReadableColumns(ctx, eventId, headers)
  return createCsv(columns, readThreads(ctx, eventId, query, hasPrivate))
}

async function* readThreads(ctx: AppContext, eventId: number, query: ListThreadsQuery, hasPrivate: boolean) {
  for (let page = 1; ; page++) {
    const part = { ...query, page, limit: threadsPerQuery }
    const { threads } = await listThreads(ctx.db, eventId, part, hasPrivate, maxMessagesPerThread)
    yield* threads
    if (threads.length < threadsPerQuery) return
  }
}

/** Each answer is one line, so that a text cannot look like the answer of somebody else. */
const lineBreaks = /\s*\n\s*/g

const joinAnswers = (messages: readonly Message[], nameOf: (message: Message) => string | null): string =>
  messages
    .map((message) => [nameOf(message), message.text.replace(lineBreaks, ' ')].filter(Boolean).join(': '))
    .join('\n')

/** The headers are keys for programs, so they must not change. */
const keyColumns: Column[] = [
  ...(['source_filename', 'kind', 'number', 'x', 'y', 'w', 'h', 'guest_name', 'text', 'state'] as const).map(
    (header): Column => ({ header, read: (thread) => thread[header] }),
  ),
  { header: 'answers', read: ({ messages }) => joinAnswers(messages, ({ author_name }) => author_name) },
  ...(['created_at', 'settled_at', 'id', 'photo_id'] as const).map(
    (header): Column => ({ header, read: (thread) => thread[header] }),
  ),
]

async function createReadableColumns(ctx: AppContext, eventId: number, language: Language): Promise<Column[]> {
  const { t } = getTranslator('exports', language)
  const names = await loadGuestNames(ctx, eventId, language)
  const guestOf = ({ guest_name, guest_id }: ThreadRecord) => guest_name ?? names.of(guest_id)
  const authorOf = ({ author_name, guest_id }: Message) =>
    author_name ?? (guest_id === null ? null : names.of(guest_id))
  return [
    { header: t('fileName'), read: ({ source_filename }) => source_filename },
    { header: t('threadKind'), read: ({ kind }) => t(`kind_${kind}`) },
    { header: t('threadNumber'), read: ({ number }) => number },
    ...createPlaceColumns(t),
    { header: t('guest'), read: guestOf },
    { header: t('text'), read: ({ text }) => text },
    { header: t('state'), read: ({ state }) => t(`state_${state}`) },
    { header: t('answers'), read: ({ messages }) => joinAnswers(messages, authorOf) },
    { header: t('createdAt'), read: ({ created_at }) => formatTime(created_at) },
    { header: t('settledAt'), read: ({ settled_at }) => settled_at && formatTime(settled_at) },
  ]
}

const createPlaceColumns = (t: TranslateCatalog<'exports'>): Column[] =>
  (['x', 'y', 'w', 'h'] as const).map((side) => ({
    header: t(`place_${side}`),
    read: ({ [side]: millionths }) => (millionths === null ? null : Math.round(millionths / 1000) / 10),
  }))

/** Returns the time, which is in UTC, in a form that spreadsheet programs read. */
const formatTime = (iso: string): string => iso.slice(0, 19).replace('T', ' ')
