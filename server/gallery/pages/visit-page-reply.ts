import type { FastifyReply, FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import { pickColorNames } from '../../../contract/color-labels.ts'
import { GalleryFilterQuery, GallerySortQuery } from '../../../contract/gallery/gallery.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { parsePhotoId, tileSizeCookie } from '../../../contract/gallery/gallery-tiles.ts'
import { CoverLayout, HeaderStyle, ThemePreset, Typeface, themePresets } from '../../../contract/themes.ts'
import { isWrite } from '../../access/same-origin-hook.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { getTypeface } from '../../events/event-rules.ts'
import { setEntryCookies } from '../../gallery-access/guest-identity-request.ts'
import type { OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Page } from '../../platform/html/page-document.ts'
import { loadBrand } from '../../settings/brand-markup.ts'
import { withColorNames } from '../../settings/color-names.ts'
import type { GalleryContext } from '../gallery-context.ts'
import { isPreviewRequest } from '../preview-request.ts'
import { findCoverHash } from './cover-picture.ts'
import { getI18n } from './gallery-i18n.ts'
import { galleryPage } from './gallery-page.ts'
import { formatQuery, languageLinks, parseUrl } from './language-request.ts'
import { loadGalleryPage } from './load-gallery-page.ts'
import { continuePage, messagePage, passwordPage } from './message-pages.ts'
import type { PageFrame } from './page-frame.ts'
import type { PasswordVisit, Visit } from './visit-request.ts'

export type PageQuery = Record<string, unknown>

/** Sends the page of a visit. An AppError of status 4xx becomes a page for people, never JSON. */
export async function sendVisitPage(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Promise<Visit>,
  query: PageQuery = {},
): Promise<FastifyReply> {
  const page = await visit
    .then((found) => show(ctx, request, reply, found, query))
    .catch((error) => renderErrorPage(ctx, request, reply, error))
  if (page === null) return reply
  return reply.header('content-security-policy', page.securityPolicy).type('text/html; charset=utf-8').send(page.markup)
}

async function show(
  ctx: GalleryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  query: PageQuery,
): Promise<Page | null> {
  if ('entry' in visit && visit.entry && !isPreviewRequest(request)) {
    ctx.counts.countEntry(visit.entry.guest)
    setEntryCookies(ctx, request, reply, visit.entry)
  }
  switch (visit.show) {
    case 'elsewhere':
      reply.redirect(visit.path + (visit.hasForm ? formatQuery(createSearchAfterForm(request)) : ''), 303)
      return null
    case 'present address':
      // What the address leads to depends on the state of the gallery.
      reply.header('cache-control', 'no-store').redirect(visit.path + getSearch(request), 302)
      return null
    case 'password':
      if (visit.appError) reply.code(visit.appError.status)
      if (visit.appError?.extras.retryAfterSeconds) reply.header('retry-after', visit.appError.extras.retryAfterSeconds)
      if (!isWrite(request)) reply.setCookie(testCookie, '1', { path: '/gallery', httpOnly: true, sameSite: 'lax' })
      return renderPasswordPage(ctx, request, visit)
    case 'continue':
      if (!visit.link) reply.code(404)
      if (visit.isForeign) reply.code(403)
      return continuePage(await createPageFrame(ctx, request, visit.event), visit)
    case 'gallery':
      return renderGallery(ctx, request, visit.gallery, query)
  }
}

/** The query leads to the filter or the photo of the link again. */
async function renderPasswordPage(ctx: GalleryContext, request: FastifyRequest, visit: PasswordVisit): Promise<Page> {
  const { slug, shareToken } = visit.form
  const event = await findPublishedEvent(ctx, slug)
  const frame = await createPageFrame(ctx, request, event)
  const coverHash = event && (await findCoverHash(ctx, event, shareToken))
  const languages = languageLinks(request, `/gallery/${slug}${shareToken && `/${shareToken}`}`)
  const { searchParams } = parseUrl(request)
  const hasNoCookies = searchParams.has(noCookies)
  searchParams.delete(noCookies)
  return passwordPage({ ...frame, languages }, { ...visit, search: formatQuery(searchParams), hasNoCookies, coverHash })
}

/** Shows whether the browser accepts cookies, without which a correct password would lead to its form again. */
const testCookie = 'cookies'
/** The parameter of the address after the entry of a browser that has not sent the test cookie. */
const noCookies = 'no_cookies'

function createSearchAfterForm(request: FastifyRequest): URLSearchParams {
  const { searchParams } = parseUrl(request)
  searchParams.delete(noCookies)
  if (request.cookies[testCookie] === undefined) searchParams.set(noCookies, '1')
  return searchParams
}

const getSearch = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

async function renderGallery(ctx: GalleryContext, request: FastifyRequest, opened: OpenGallery, query: PageQuery) {
  const gallery = { ...opened, event: withPreviewedDesign(opened, query) }
  const frame = await createPageFrame(ctx, request, gallery.event)
  const { share_token: shareToken = null } = request.params as { share_token?: string }
  const visit = {
    i18n: frame.i18n,
    hasSmallTiles: frame.hasSmallTiles,
    shareToken,
    pageNumber: parsePageNumber(query),
    asked: parseGalleryQuery(query),
    photoId: parsePhotoId(query.photo),
    isPreviewRequest: isPreviewRequest(request),
  }
  const content = await loadGalleryPage(ctx, gallery, visit).catch((error) => {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') {
      return loadGalleryPage(ctx, gallery, { ...visit, asked: {} })
    }
    throw error
  })
  return galleryPage(frame, content)
}

/** The preview in the settings of the event shows a design before it is saved. An empty focus is the proposed one. */
const withPreviewedDesign = ({ event, viewer }: OpenGallery, query: PageQuery): EventRow => {
  const { as, theme, header, typeface, cover, focus_x: x, focus_y: y } = query
  if (as !== 'guest' || (viewer.kind === 'guest' && !viewer.guest.isPreview)) return event
  return {
    ...event,
    ...(Value.Check(ThemePreset, theme) && { theme_preset: theme }),
    ...(Value.Check(HeaderStyle, header) && { header_style: header }),
    ...((typeface === '' || Value.Check(Typeface, typeface)) && { typeface: typeface || null }),
    ...(Value.Check(CoverLayout, cover) && { cover_layout: cover }),
    ...(x !== undefined && { cover_focus_x: parsePercent(x) }),
    ...(y !== undefined && { cover_focus_y: parsePercent(y) }),
  }
}

const parsePercent = (text: unknown): number | null =>
  typeof text === 'string' && /^(\d{1,2}|100)$/.test(text) ? Number(text) : null

const queryFields = { ...GalleryFilterQuery.properties, ...GallerySortQuery.properties }

/** Leaves out invalid values. */
function parseGalleryQuery(query: PageQuery): GalleryListQueryParams {
  const known = Object.entries(queryFields).filter(
    ([key, schema]) => query[key] !== '' && !String(query[key]).includes('\0') && Value.Check(schema, query[key]),
  )
  return Object.fromEntries(known.flatMap(([key]) => (query[key] === undefined ? [] : [[key, query[key]]])))
}

const parsePageNumber = ({ page }: PageQuery): number =>
  typeof page === 'string' && /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1

/** Drafts, archived events and unknown links have the same page, which names only the studio of the instance. */
async function renderErrorPage(ctx: GalleryContext, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  if (error.code === 'GALLERY_EXPIRED') return renderExpiredPage(ctx, request, reply)
  reply.code(404)
  const frame = await createPageFrame(ctx, request, null)
  const { t } = frame.i18n
  const studio = frame.settings.branding_studio_name
  const message = studio ? t('notFoundAskStudio', { studio }) : t('notFound')
  return messagePage({ ...frame, title: t('notFoundTitle') }, 'unknown', message)
}

/** The name of an expired gallery is public, unlike that of a draft or an archived event. */
async function renderExpiredPage(ctx: GalleryContext, request: FastifyRequest, reply: FastifyReply) {
  reply.code(410)
  const { slug } = request.params as { slug: string }
  const frame = await createPageFrame(ctx, request, await findPublishedEvent(ctx, slug))
  const studio = frame.settings.branding_studio_name
  const { t } = frame.i18n
  return messagePage(frame, 'expired', studio ? t('expiredAskStudio', { studio }) : t('expired'))
}

/** Returns null for drafts and archived events, because the password form must not reveal their names. */
async function findPublishedEvent({ galleries }: GalleryContext, slug: string): Promise<EventRow | null> {
  const event = await galleries.event(slug)
  return event && event.is_draft === 0 && event.is_archived === 0 ? event : null
}

async function createPageFrame(
  ctx: GalleryContext,
  request: FastifyRequest,
  event: EventRow | null,
): Promise<PageFrame> {
  const brand = await loadBrand(ctx.settings)
  const i18n = withColorNames(
    getI18n(request, event?.language ?? null, brand.settings.general_default_language),
    pickColorNames(brand.settings),
  )
  return {
    ...brand,
    i18n,
    languages: languageLinks(request),
    hasSmallTiles: request.cookies[tileSizeCookie] === 'small',
    title: event?.event_name ?? '',
    theme: (event?.theme_preset ?? 'classic') as ThemePreset,
    typeface: event ? getTypeface(event) : themePresets.classic.typeface,
    now: ctx.clock.now(),
  }
}
