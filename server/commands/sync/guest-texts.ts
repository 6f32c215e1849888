import { Compile } from 'typebox/compile'
import type { Proofroom } from '../../../clients/typescript/source/index.ts'
import { ThreadRecord } from '../../../contract/gallery/threads.ts'
import { sourceLanguage } from '../../../contract/languages.ts'
import { formatInstructions } from '../../exports/instructions.ts'
import { t } from '../../platform/text/command-messages.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import { ownKeywordPrefix } from '../../platform/xmp/xmp-keywords.ts'
import { CommandRejected } from '../command-errors.ts'
import { readBounded } from './read-bounded.ts'

const known = Compile(ThreadRecord)

/** What guests have written about a photo. A missing key was not requested, and does not change in the file. */
export type GuestTexts = { keywords?: string[]; notes?: string }

type Wanted = { hasKeywords: boolean; hasNotes: boolean; isStopped: () => boolean }

/**
 * Loads a keyword for each guest who has picked a photo, and the words of open threads. Returns a function that returns
 * the texts by photo id; texts are missing if the loading was stopped. Throws ProofroomError, and CommandRejected for a
 * thread that cannot be understood, and for more than 200,000 threads.
 */
export async function loadGuestTexts(
  service: Proofroom,
  eventId: number,
  { hasKeywords, hasNotes, isStopped }: Wanted,
): Promise<(photoId: number) => GuestTexts> {
  const keywords = hasKeywords ? await loadKeywords(service, eventId) : null
  const notes = hasNotes ? await loadNotes(service, eventId, isStopped) : null
  return (photoId) => ({
    ...(keywords && { keywords: keywords.get(photoId) ?? [] }),
    ...(notes && { notes: notes.get(photoId) ?? '' }),
  })
}

async function loadKeywords(service: Proofroom, eventId: number): Promise<Map<number, string[]>> {
  const { photos, guests } = await service.proofing.picks(eventId)
  const names = new Map(guests.map(({ id, name }) => [id, name]))
  return new Map(
    photos.map(({ id, picked_by }) => [
      id,
      [...new Set(picked_by.map((guestId) => formatKeyword(names.get(guestId) ?? null)))].sort(),
    ]),
  )
}

/** Programs split keywords at these characters, or make a hierarchy of them. */
const formatKeyword = (name: string | null): string =>
  `${ownKeywordPrefix}picked by ${name?.replaceAll(/[|/\\,;<>\s]+/g, ' ').trim() || 'a guest'}`

async function loadNotes(service: Proofroom, eventId: number, isStopped: () => boolean): Promise<Map<number, string>> {
  // Rejects a token without the right to read notes, whose list of threads would have only comments.
  await service.proofing.notes(eventId, { limit: 1 }).first()
  const open = service.proofing.threads(eventId, { state: 'open', limit: 100 })
  // A new thread moves others to the next page.
  const threads = new Map<number, ThreadRecord>()
  for await (const thread of readBounded(open, { key: 'threads', tooMany: 'tooManyThreads', isStopped })) {
    if (!known.Check(thread)) throw new CommandRejected(t('answerUnclear'))
    threads.set(thread.id, thread)
  }
  return formatInstructions(threads.values(), getTranslator('exports', sourceLanguage))
}
