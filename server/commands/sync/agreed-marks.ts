import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Photo, Proofroom } from '../../../clients/typescript/source/index.ts'
import { colorLabels } from '../../../contract/color-labels.ts'
import { Id, Nullable, OneOf } from '../../../contract/shapes.ts'
import { t } from '../../platform/text/command-messages.ts'
import { CommandRejected } from '../command-errors.ts'

const AgreedPhoto = Type.Object({
  id: Id,
  rating: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  color_label: Nullable(OneOf(colorLabels)),
})
const Agreed = Type.Object({
  round: Nullable(Type.Integer()),
  snapshot: Nullable(Type.Object({ photos: Type.Array(AgreedPhoto) })),
})
const agreed = Compile(Agreed)

export type AgreedMarks = { round: number; photos: Map<number, Static<typeof AgreedPhoto>> }

/** Throws ProofroomError, and CommandRejected for a selection without a round or an unclear answer. */
export async function loadAgreedMarks(service: Proofroom, eventId: number, selectionId: number): Promise<AgreedMarks> {
  const answer = await service.proofing.selection(eventId, selectionId)
  if (!agreed.Check(answer)) throw new CommandRejected(t('answerUnclear'))
  const { round, snapshot } = answer
  if (round === null || snapshot === null) throw new CommandRejected(t('selectionWithoutRound', { id: selectionId }))
  return { round, photos: new Map(snapshot.photos.map((photo) => [photo.id, photo])) }
}

/** Returns a photo of the selection as it was submitted, which makes it a pick; undefined for other photos. */
export function toAgreedPhoto(photo: Photo, { photos }: AgreedMarks): Photo | undefined {
  const marks = photos.get(photo.id)
  return marks && { ...photo, rating: marks.rating, color_label: marks.color_label, favorite_count: 1 }
}
