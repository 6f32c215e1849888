import { createProofroom, type Photo, ProofroomError } from 'proofroom-client'

const { PROOFROOM_URL = '', PROOFROOM_TOKEN = '' } = process.env
export const proofroom = createProofroom({ baseUrl: PROOFROOM_URL, token: PROOFROOM_TOKEN })

/** Null if the event is not one that everybody may see. */
export async function findOpenEvent(id: number) {
  const event = await proofroom.events.get(id).catch((error) => {
    if (error instanceof ProofroomError && [400, 403, 404].includes(error.status)) return null
    throw error
  })
  if (!event?.is_active || event.is_draft || event.is_archived || event.require_password) return null
  const isRevealed = event.reveal_at === null || Date.parse(event.reveal_at) <= Date.now()
  return isRevealed ? event : null
}

export const isShown = (photo: Photo): boolean => photo.visibility === 'visible' && photo.processing_status === 'ready'
