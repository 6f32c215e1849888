import { parsePhotoId } from '../../../contract/gallery/gallery-tiles.ts'
import type { OembedQuery, OembedReply } from '../../../contract/gallery/oembed.ts'
import { scaleToFit } from '../../photos/renditions/rendition-rules.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { findLinkPreview } from './cover-picture.ts'

/** Throws NOT_IMPLEMENTED for formats other than JSON, and NOT_FOUND for a link without a public preview. */
export async function describeLink(
  ctx: GalleryContext,
  { url, format = 'json', maxwidth = Infinity, maxheight = Infinity }: OembedQuery,
): Promise<OembedReply> {
  if (format !== 'json') throw new AppError('NOT_IMPLEMENTED')
  const origin = await ctx.settings.linkOrigin()
  const link = parseGalleryLink(url, origin)
  const event = link && (await ctx.galleries.event(link.slug))
  const preview = event && (await findLinkPreview(ctx, event, link.shareToken, link.photoId))
  if (!preview) throw new AppError('NOT_FOUND')
  const { branding_studio_name: studio } = await ctx.settings.values()
  return {
    version: '1.0',
    type: 'photo',
    title: event.event_name,
    provider_name: studio || 'Proofroom',
    provider_url: origin,
    cache_age: 300,
    url: preview.pictureUrl,
    // The size for display. The picture itself is not scaled to this size and may have more pixels.
    ...scaleToFit(preview, { width: maxwidth, height: maxheight }),
  }
}

/** The scheme may differ from that of `origin`, because a proxy can terminate TLS. */
function parseGalleryLink(
  text: string,
  origin: string,
): { slug: string; shareToken: string; photoId: number | null } | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.host !== new URL(origin).host) return null
  const [, slug, shareToken] = /^\/gallery\/([\w-]+)\/([\w-]+)\/?$/.exec(url.pathname) ?? []
  return slug && shareToken ? { slug, shareToken, photoId: parsePhotoId(url.searchParams.get('photo')) } : null
}
