import { findOpenEvent, proofroom } from '../lib/proofroom'

/** The list is made again at most once a minute. */
export const revalidate = 60

export default async function Galleries() {
  const events = []
  for await (const { id, is_active } of proofroom.events.list({ is_draft: false, is_archived: false })) {
    const event = is_active ? await findOpenEvent(id) : null
    if (event) events.push(event)
  }
  return (
    <main>
      <h1>Galleries</h1>
      <ul>
        {events.map((event) => (
          <li key={event.id}>
            <a href={`/${event.id}`}>
              {event.event_name}, {event.photo_count} photos
            </a>
          </li>
        ))}
      </ul>
    </main>
  )
}
