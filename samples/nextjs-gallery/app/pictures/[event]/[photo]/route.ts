import { ProofroomError } from 'proofroom-client'
import { findOpenEvent, isShown, proofroom } from '../../../../lib/proofroom'

type Context = { params: Promise<{ event: string; photo: string }> }

/** Sends a preview of 1280 pixels. The rules of the page apply to each picture. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const [eventId, photoId] = [Number((await params).event), Number((await params).photo)]
  const event = await findOpenEvent(eventId)
  if (!event) return new Response(null, { status: 404 })
  try {
    if (!isShown(await proofroom.photos.get(eventId, photoId))) return new Response(null, { status: 404 })
    const { body, type, etag } = await proofroom.photos.preview(
      eventId,
      photoId,
      { w: 1280 },
      { signal: request.signal },
    )
    return new Response(body, {
      headers: { 'content-type': type, 'cache-control': 'public, max-age=300', etag: etag ?? '' },
    })
  } catch (error) {
    if (error instanceof ProofroomError)
      return new Response(null, { status: error.status < 400 || error.status >= 500 ? 502 : 404 })
    throw error
  }
}
