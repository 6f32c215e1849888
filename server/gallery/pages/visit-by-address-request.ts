import type { FastifyRequest } from 'fastify'
import { sharePath } from '../../../contract/share-path.ts'
import { findPresentAddresses, type GalleryAddress } from '../../events/old-addresses.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { type Visit, visitByLink, visitBySlug } from './visit-request.ts'

/**
 * If an address would show the page for unknown galleries but a gallery had it earlier, the visit leads to the present
 * address of that gallery, unless this would show the same page. So an old address reveals no more than the present
 * one. Throws what `visitByLink` and `visitBySlug` throw.
 */
export async function visitByAddress(
  ctx: GalleryContext,
  request: FastifyRequest,
  address: GalleryAddress,
): Promise<Visit> {
  try {
    return await visit(ctx, request, address)
  } catch (error) {
    if (!isUnknown(error)) throw error
    for (const present of await findPresentAddresses(ctx.db, address)) {
      if (await showsPage(ctx, request, present)) return { show: 'present address', path: pathOf(present) }
    }
    throw error
  }
}

const visit = (ctx: GalleryContext, request: FastifyRequest, { slug, shareToken }: GalleryAddress): Promise<Visit> =>
  shareToken === null ? visitBySlug(ctx, request, slug) : visitByLink(ctx, request, { slug, shareToken })

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && ['NOT_FOUND', 'INVALID_CREDENTIALS'].includes(error.code)

async function showsPage(ctx: GalleryContext, request: FastifyRequest, address: GalleryAddress): Promise<boolean> {
  try {
    await visit(ctx, request, address)
    return true
  } catch (error) {
    if (isUnknown(error)) return false
    // The page of an expired gallery does not depend on the share token.
    if (error instanceof AppError && error.code === 'GALLERY_EXPIRED') return true
    throw error
  }
}

const pathOf = ({ slug, shareToken }: GalleryAddress): string =>
  shareToken === null ? `/gallery/${slug}` : sharePath({ slug, share_token: encodeURIComponent(shareToken) })
