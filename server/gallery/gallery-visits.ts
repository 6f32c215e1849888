import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import { type Entry, enterByLink, enterByPassword, entryOf, isSame } from './enter-gallery.ts'
import type { GalleryHouse } from './gallery-house.ts'
import { type OpenGallery, openGallery } from './open-gallery.ts'
import { judgeState } from './viewing-rules.ts'

/** What a browser that opens the address of a gallery is to be shown. */
export type Visit =
  | { show: 'gallery'; gallery: OpenGallery; entry: Entry | null }
  | { show: 'password'; form: PasswordForm; refusal: Refusal | null }
  | { show: 'elsewhere'; path: string; entry: Entry }

export type PasswordForm = { slug: string; shareToken: string }

/** By the whole link. Throws NOT_FOUND, GALLERY_EXPIRED or INVALID_CREDENTIALS. */
export async function visitByLink(house: GalleryHouse, request: FastifyRequest, link: PasswordForm): Promise<Visit> {
  const inside = await asBefore(house, request, link.slug)
  if (inside) return { show: 'gallery', gallery: inside, entry: null }
  const entry = await enterByLink(house, link.slug, link.shareToken)
  return entry === 'password' ? { show: 'password', form: link, refusal: null } : entered(entry)
}

/** By the slug alone, which opens a gallery without a password only where the settings allow it. */
export async function visitBySlug(house: GalleryHouse, request: FastifyRequest, slug: string): Promise<Visit> {
  const inside = await asBefore(house, request, slug)
  if (inside) return { show: 'gallery', gallery: inside, entry: null }
  const event = await house.galleries.event(slug)
  if (!event) throw new Refusal('NOT_FOUND')
  judgeState(event, false, house.clock.now())
  if (event.require_password === 1) return { show: 'password', form: { slug, shareToken: '' }, refusal: null }
  const { gallery_allow_slug_only: mayOpenBySlug } = await house.settings.values()
  if (!mayOpenBySlug) throw new Refusal('INVALID_CREDENTIALS')
  return entered(entryOf(house, event))
}

/** By the password form: on to the gallery's own address, or the form once more. */
export async function visitByPassword(
  house: GalleryHouse,
  form: PasswordForm,
  password: string,
  ip: string,
): Promise<Visit> {
  const { slug, shareToken } = form
  const entry = await enterByPassword(house, { slug, password, shareToken: shareToken || null, ip }).catch((error) => {
    if (error instanceof Refusal && ['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(error.code)) return error
    throw error
  })
  if (entry instanceof Refusal) return { show: 'password', form, refusal: entry }
  const hasLink = isSame(shareToken, entry.event.share_token)
  return { show: 'elsewhere', path: `/gallery/${entry.event.slug}${hasLink ? `/${shareToken}` : ''}`, entry }
}

const entered = (entry: Entry): Visit => ({
  show: 'gallery',
  gallery: { event: entry.event, viewer: { kind: 'guest', guest: entry.guest } },
  entry,
})

/** Whoever is in already stays who they are; null for whoever is not. */
function asBefore(house: GalleryHouse, request: FastifyRequest, slug: string): Promise<OpenGallery | null> {
  return openGallery(house, request, slug).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
}
