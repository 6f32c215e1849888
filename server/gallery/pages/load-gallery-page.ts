import { heicFileTypes, rawFileTypes, splitFileTypes, videoFileTypes } from '../../../contract/files/file-types.ts'
import type { GalleryListQueryParams, GalleryPageData } from '../../../contract/gallery/gallery-page.ts'
import { isGroupedList } from '../../../contract/gallery/photo-groups.ts'
import { categoryRecord } from '../../events/categories/categories.ts'
import { type CoverFacts, readCoverFacts } from '../../events/cover-facts.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { feedbackSettings } from '../../events/feedback-settings.ts'
import { loadOwnTotals, zeroFeedbackCounts } from '../../feedback/list-own-feedback.ts'
import { noFeedback } from '../../feedback/own-feedback.ts'
import type { OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { findCoverIds } from '../../photos/cover-photos.ts'
import { loadPhotosByIds } from '../../photos/listed-photos.ts'
import { countPhotos } from '../../photos/lists/list-photos.ts'
import { loadOwnSelection } from '../../selections/own-selection.ts'
import { loadGuestRound } from '../../selections/rounds/guest-rounds.ts'
import { loadGuestContact } from '../entering/name-session-guest.ts'
import { loadShownFirstLook } from '../first-look/guest-first-look.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { galleryInfo, galleryPhoto } from '../gallery-records.ts'
import { listGallery } from '../list-gallery.ts'
import { findLinkPreview } from './cover-picture.ts'
import { type GalleryI18n, listGalleryLanguages } from './gallery-i18n.ts'
import type { GalleryPageContent } from './gallery-page.ts'
import { pageSize } from './photo-page.ts'
import { findShownPhoto } from './shown-photo.ts'

type GalleryPageRequest = {
  i18n: GalleryI18n
  /** The share token in the URL; null if the URL has none. */
  shareToken: string | null
  asked: GalleryListQueryParams
  photoId: number | null
  pageNumber: number
  isPreviewRequest: boolean
  hasSmallTiles: boolean
}

/** Throws VALIDATION_ERROR for invalid filters. */
export async function loadGalleryPage(
  ctx: GalleryContext,
  gallery: OpenGallery,
  { i18n, shareToken, asked, photoId, pageNumber, isPreviewRequest, hasSmallTiles }: GalleryPageRequest,
): Promise<GalleryPageContent> {
  const { event, viewer } = gallery
  const query = {
    ...asked,
    ...(isGroupedList(asked) && { group: 'category' as const }),
    page: pageNumber,
    limit: pageSize,
  }
  const listed = await listGallery(ctx, gallery, query, { isPreviewRequest })
  const { photos, own, total, filtered, categories } = listed
  const ownTotals = listed.isBeforeReveal
    ? { counts: zeroFeedbackCounts, hasAnswers: false }
    : await loadOwnTotals(ctx, gallery)
  const allowedTypes = splitFileTypes((await ctx.settings.values()).general_allowed_file_types)
  const takesAny = (types: readonly string[]) => types.some((type) => allowedTypes.includes(type))
  const data: GalleryPageData = {
    slug: event.slug,
    event: galleryInfo(event, ctx.clock.now()),
    feedback: feedbackSettings(event),
    viewer: {
      kind: viewer.kind,
      ...(viewer.kind === 'guest' && viewer.guest.isPreview && { is_preview: true }),
      guest: viewer.kind === 'guest' ? await loadGuestContact(ctx, viewer.guest) : null,
    },
    categories: categories.map(categoryRecord),
    groups: listed.groups ?? [],
    offset: (pageNumber - 1) * pageSize,
    asked,
    photos: photos.map((photo) => galleryPhoto(event, photo, own.get(photo.id) ?? noFeedback)),
    total,
    video_count: listed.videoCount,
    filtered,
    counts: ownTotals.counts,
    ...(ownTotals.hasAnswers && { has_answers: true }),
    selection: listed.isBeforeReveal ? null : await loadOwnSelection(ctx, gallery),
    round: await loadGuestRound(ctx, gallery),
    takes_videos: takesAny(videoFileTypes),
    takes_heic: takesAny(heicFileTypes),
    takes_raw: takesAny(rawFileTypes),
    has_small_tiles: hasSmallTiles,
    locale: i18n.locale,
    languages: listGalleryLanguages(),
    share_path: shareToken === null ? await findSharePath(ctx, gallery) : null,
    messages: omitUnusedMessages(i18n, event),
  }
  const isCovered = event.header_style === 'hero' && !listed.isBeforeReveal && pageNumber === 1
  const isWords = event.cover_layout === 'words'
  const cover = isCovered && !isWords && total > 3 ? await loadCover(ctx, gallery) : null
  const visible = viewer.kind === 'guest' ? { total } : await countPhotos(ctx.db, event.id, { onlyVisible: true })
  return {
    event,
    data,
    firstLook: await loadShownFirstLook(ctx, gallery),
    pageNumber,
    pages: Math.ceil(filtered / pageSize),
    isCover: isCovered && (isWords || cover !== null),
    cover,
    hiddenCount: total - visible.total,
    linkPreview: await findLinkPreview(ctx, event, shareToken, photoId),
    shown: photoId === null ? null : ((await findShownPhoto(ctx, gallery, photoId, asked)) ?? 'missing'),
  }
}

/** Messages of a feature that is off, whose keys begin with its name, are left out of the page. */
function omitUnusedMessages({ messages }: GalleryI18n, event: EventRow): GalleryPageData['messages'] {
  const prefixes = {
    round: event.has_package,
    version: event.keep_versions,
    firstLook: event.has_first_look,
    upload: event.allow_user_uploads,
  }
  const unused = Object.entries(prefixes).flatMap(([prefix, isOn]) => (isOn === 1 ? [] : prefix))
  if (unused.length === 0) return messages
  return Object.fromEntries(
    Object.entries(messages).filter(([key]) => !unused.some((prefix) => key.startsWith(prefix))),
  )
}

/**
 * Returns the path of the share link if the viewer may share it. Customers may not, since they entered by their
 * sign-in.
 */
async function findSharePath({ settings }: GalleryContext, { event, viewer }: OpenGallery): Promise<string | null> {
  // If galleries open by their slug alone, guests can share the URL of the page, so they do not get the share token.
  const { gallery_allow_slug_only: opensBySlug } = await settings.values()
  const isInByLink = viewer.kind === 'guest' && event.require_password === 0 && !viewer.guest.customer && !opensBySlug
  return viewer.kind === 'operator' || isInByLink ? `/gallery/${event.slug}/${event.share_token}` : null
}

/** Guests do not wait until a new cover is measured; an operator who designs the page does. */
async function loadCover(ctx: GalleryContext, { event, viewer }: OpenGallery): Promise<GalleryPageContent['cover']> {
  const id = (await findCoverIds(ctx.db, [event.id])).get(event.id)
  const [photo] = await loadPhotosByIds(ctx.db, id === undefined ? [] : [id], null)
  if (!photo) return null
  const cover = (facts: CoverFacts | null) => ({ photo: galleryPhoto(event, photo, noFeedback), facts })
  const stored = readCoverFacts(event, photo.content_hash)
  if (stored) return cover(stored)
  const measured = ctx.measureCover(event.id, photo)
  if (viewer.kind === 'guest' && !viewer.guest.isPreview) return cover(null)
  await measured
  const present = await ctx.galleries.event(event.slug)
  return cover(present ? readCoverFacts(present, photo.content_hash) : null)
}
