import type { BrowserContext } from 'playwright-core'
import type { Demo, DemoEvent } from './demo-event.ts'

export const adminPages = ({
  id,
}: DemoEvent): Array<{ name: string; path: string; isOnPhone?: true; isDark?: true }> => [
  { name: 'admin-overview', path: '/admin' },
  { name: 'admin-photos', path: `/admin/events/${id}` },
  { name: 'admin-photos-dark', path: `/admin/events/${id}`, isDark: true },
  { name: 'admin-picks', path: `/admin/events/${id}/picks` },
  { name: 'admin-share', path: `/admin/events/${id}/share` },
  { name: 'admin-photos-phone', path: `/admin/events/${id}`, isOnPhone: true },
  { name: 'admin-picks-phone', path: `/admin/events/${id}/picks`, isOnPhone: true },
]

export async function signInToAdmin({ request }: BrowserContext, { url, username, password }: Demo): Promise<void> {
  await request.post(`${url}/api/auth/admin/login`, { data: { username, password } })
}

/** Gives feedback as two guests, some of whose picks are equal. */
export async function addGuestPicks(demo: Demo, { share_url }: DemoEvent): Promise<void> {
  const [slug = '', token = ''] = new URL(share_url).pathname.split('/').slice(2)
  const call = async (method: string, path: string, body: object | undefined, session?: string) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (session) headers.set('authorization', `Bearer ${session}`)
    const response = await fetch(demo.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const guests: Array<[name: string, picks: number[], comment: string]> = [
    ['Ana', [0, 1, 3, 4, 7], 'This one for the album, please.'],
    ['Ben', [1, 4, 5, 8], 'Could the sky be a little lighter?'],
  ]
  for (const [name, picks, comment] of guests) {
    const { token: session } = await call('POST', '/api/auth/gallery/share-login', { slug, token })
    await call('POST', `/api/gallery/${slug}/guest`, { name }, session)
    const { photos } = await call('GET', `/api/gallery/${slug}/photos?limit=50`, undefined, session)
    const sendFeedback = (index: number, feedback: object) =>
      call('POST', `/api/gallery/${slug}/photos/${photos[index % photos.length].id}/feedback`, feedback, session)
    for (const index of picks) await sendFeedback(index, { feedback_type: 'favorite', set: true })
    await sendFeedback(picks[0] ?? 0, { feedback_type: 'rating', rating: 5 })
    await sendFeedback(picks[1] ?? 0, { feedback_type: 'color_label', color_label: 'green' })
    await sendFeedback(picks[0] ?? 0, { feedback_type: 'comment', comment_text: comment })
  }
}
