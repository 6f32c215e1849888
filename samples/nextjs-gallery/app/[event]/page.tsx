import { findOpenEvent, isShown, proofroom } from '../../lib/proofroom'

export const revalidate = 60

export default async function Gallery({ params }: { params: Promise<{ event: string }> }) {
  const event = await findOpenEvent(Number((await params).event))
  if (!event) return <main>There is no such gallery.</main>
  const photos = []
  for await (const photo of proofroom.photos.list(event.id, { limit: 100 })) if (isShown(photo)) photos.push(photo)
  return (
    <main>
      <h1>{event.event_name}</h1>
      {photos.map(({ id, width, height }) => (
        // biome-ignore lint/performance/noImgElement: Proofroom has already made the picture small.
        <img
          key={id}
          src={`/pictures/${event.id}/${id}`}
          alt=""
          width={width ?? undefined}
          height={height ?? undefined}
          loading="lazy"
          style={{ maxWidth: '100%', height: 'auto' }}
        />
      ))}
      <p>
        <a href={event.share_url}>Choose your photos</a>
      </p>
    </main>
  )
}
