import type { Proofroom } from '../../../clients/typescript/source/index.ts'
import { ownKeywordPrefix } from '../../platform/xmp/xmp-keywords.ts'
import { readBounded } from './read-bounded.ts'

/** What guests have written about a photo. A missing key was not requested, and does not change in the file. */
export type GuestTexts = { keywords?: string[]; notes?: string }

/** Far above what a field of a photo program shows. */
const maxNotesLength = 8_000

type Wanted = { hasKeywords: boolean; hasNotes: boolean; isStopped: () => boolean }

/**
 * Loads a keyword for each guest who has picked a photo, and the approved comments and private notes. Returns a
 * function that returns the texts by photo id; texts are missing if the loading was stopped. Throws ProofroomError, and
 * CommandRejected for more than 200,000 comments or notes.
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

type Line = { photoId: number; at: string; text: string }

async function loadNotes(service: Proofroom, eventId: number, isStopped: () => boolean): Promise<Map<number, string>> {
  const lines: Line[] = []
  const comments = service.proofing.comments(eventId, { status: 'approved', limit: 100 })
  for await (const comment of readBounded(comments, { key: 'feedback', tooMany: 'tooManyComments', isStopped })) {
    const { photo_id: photoId, created_at: at, comment_text: text, guest_name: name } = comment
    if (text) lines.push({ photoId, at, text: `${name ?? 'A guest'}: ${text}` })
  }
  const notes = service.proofing.notes(eventId, { limit: 100 })
  for await (const note of readBounded(notes, { key: 'notes', tooMany: 'tooManyNotes', isStopped })) {
    const { photo_id: photoId, created_at: at, text, guest_name: name } = note
    if (photoId !== null) lines.push({ photoId, at, text: `${name ?? 'A guest'} (private): ${text}` })
  }
  const byPhoto = Map.groupBy(
    lines.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    ({ photoId }) => photoId,
  )
  return new Map([...byPhoto].map(([photoId, some]) => [photoId, shorten(some.map(({ text }) => text).join('\n'))]))
}

const shorten = (text: string): string =>
  text.length <= maxNotesLength ? text : `${text.slice(0, maxNotesLength).trimEnd()} …`
