import cookie from '@fastify/cookie'
import type { RouteOptions } from 'fastify'
import { apiTokensApi } from './access/api-tokens/api-tokens-api.ts'
import { adminAccountApi, authApi, signOutApi } from './access/auth-api.ts'
import { allowOrigins } from './access/cross-origin-hook.ts'
import { guardAdminApi } from './access/guards.ts'
import { limitAnonymous } from './access/limits/anonymous-limit-hook.ts'
import { sendRateUsage } from './access/limits/rate-limit-hook.ts'
import { metricsApi } from './access/metrics-api.ts'
import { secondFactorApi } from './access/second-factor/second-factor-api.ts'
import { logFailedSignIns } from './access/sign-in-log-hook.ts'
import { activityApi } from './dashboard/activity/activity-api.ts'
import { recordActivity } from './dashboard/activity/activity-hook.ts'
import { type ActivityLog, createActivityLog } from './dashboard/activity/activity-log.ts'
import { adminPageApi } from './dashboard/admin-page-api.ts'
import { dashboardApi } from './dashboard/dashboard-api.ts'
import { gridArchiveApi } from './downloads/photo-archives-api.ts'
import { photoViewsApi, thumbnailsApi } from './downloads/photo-media-api.ts'
import { categoriesAdminApi, categoryChangesApi, eventCategoriesApi } from './events/categories/categories-api.ts'
import { eventTypesAdminApi } from './events/categories/event-types-api.ts'
import { eventLifecycleApi } from './events/event-lifecycle-api.ts'
import { eventsAdminApi } from './events/events-admin-api.ts'
import { eventsApi } from './events/events-api.ts'
import { liveApi } from './events/live/live-api.ts'
import { createLiveStreams, type LiveStreams } from './events/live/live-stream-replies.ts'
import { eventMailApi } from './events/mail/event-mail-api.ts'
import { eventTrashApi } from './events/trash/event-trash-api.ts'
import { exportsApi } from './exports/exports-api.ts'
import { mergeSidecarsApi } from './exports/merge-sidecars-api.ts'
import { guestFeedbackApi } from './feedback/guest-feedback-api.ts'
import { eventGuestsApi } from './feedback/guests/event-guests-api.ts'
import { guestErasureApi } from './feedback/guests/guest-erasure-api.ts'
import { feedbackAdminApi } from './feedback/moderation/feedback-admin-api.ts'
import { moderationApi } from './feedback/moderation/moderation-api.ts'
import { guestNotesApi } from './feedback/notes/guest-notes-api.ts'
import { notesAdminApi, notesApi } from './feedback/notes/notes-api.ts'
import { noticePageApi } from './feedback/notices/notice-page-api.ts'
import { guestLiveApi } from './feedback/threads/guest-live-api.ts'
import { guestThreadsApi } from './feedback/threads/guest-threads-api.ts'
import { threadsApi } from './feedback/threads/threads-api.ts'
import { downloadsApi } from './gallery/downloads-api.ts'
import { customerGalleriesApi } from './gallery/entering/customer-galleries-api.ts'
import { enteringApi } from './gallery/entering/entering-api.ts'
import { guestsApi } from './gallery/entering/guests-api.ts'
import { firstLookApi } from './gallery/first-look/first-look-api.ts'
import { guestFirstLookApi } from './gallery/first-look/guest-first-look-api.ts'
import { galleryApi } from './gallery/gallery-api.ts'
import { createGalleryContext, type GalleryContext } from './gallery/gallery-context.ts'
import { galleryPageApi } from './gallery/pages/gallery-page-api.ts'
import { coverPictureApi, oembedApi } from './gallery/pages/link-preview-api.ts'
import { signedPicturesApi } from './gallery/signed-pictures-api.ts'
import { thumbnailFastPath } from './gallery/thumbnail-fast-path-reply.ts'
import { guestChunkedUploadApi } from './gallery/uploads/guest-chunked-upload-api.ts'
import { guestUploadApi } from './gallery/uploads/guest-upload-api.ts'
import { limitGuestWrites } from './gallery-access/guest-writes-hook.ts'
import { hideArchivedFromGuests } from './gallery-access/open-gallery-request.ts'
import { instanceHealthApi } from './health/instance-health-api.ts'
import { type CollectedRoutes, collectRoutes } from './openapi/collect-routes.ts'
import { collectionsApi } from './openapi/collections-api.ts'
import { adminDocumentApi, publicDocumentApi } from './openapi/documents-api.ts'
import { accountTokensApi } from './people/account-tokens-api.ts'
import { customerAuthApi } from './people/customers/customer-auth-api.ts'
import { transferCustomers } from './people/customers/customer-ownership.ts'
import { customersApi } from './people/customers/customers-api.ts'
import { inviteApi } from './people/invite-api.ts'
import { invitePageApi } from './people/invite-page-api.ts'
import { usersAdminApi } from './people/users-admin-api.ts'
import { photoGridApi } from './photos/lists/photo-grid-api.ts'
import { photoChangesApi } from './photos/photo-changes-api.ts'
import { photosAdminApi } from './photos/photos-admin-api.ts'
import { createRenditions, type Renditions } from './photos/renditions/renditions.ts'
import { photoTrashApi } from './photos/trash/photo-trash-api.ts'
import { decisionsApi } from './photos/versions/decisions-api.ts'
import { guestDecisionsApi } from './photos/versions/guest-decisions-api.ts'
import { createHttp, type Http } from './platform/http/create-http.ts'
import { createDrain } from './platform/http/drain.ts'
import { healthApi } from './platform/http/health-api.ts'
import { addHttpMetrics } from './platform/http/http-metrics.ts'
import { webFilesApi } from './platform/http/web-files-api.ts'
import { publicApi } from './public-api.ts'
import { chunkedUploadsApi } from './receiving/chunked/chunked-uploads-api.ts'
import { createUploadsContext, type UploadsContext } from './receiving/chunked/upload-gate.ts'
import { knownPhotosApi } from './receiving/known-photos-api.ts'
import { photoUploadsApi } from './receiving/photo-uploads-api.ts'
import { versionsApi } from './receiving/versions-api.ts'
import { repairApi } from './repair/repair-api.ts'
import { createDimensionRepair, type DimensionRepair } from './repair/repair-dimensions.ts'
import { guestSelectionsApi } from './selections/guest-selections-api.ts'
import { picksApi } from './selections/picks-api.ts'
import { guestReceiptsApi } from './selections/receipts/guest-receipts-api.ts'
import { mailedReceiptsApi } from './selections/receipts/mailed-receipts-api.ts'
import { receiptsApi } from './selections/receipts/receipts-api.ts'
import { guestRoundsApi } from './selections/rounds/guest-rounds-api.ts'
import { packagesApi } from './selections/rounds/packages-api.ts'
import { roundsApi } from './selections/rounds/rounds-api.ts'
import { selectionStatesApi, selectionsApi } from './selections/selections-api.ts'
import type { AppContext } from './settings/app-context.ts'
import { brandingAdminApi, brandingFilesApi } from './settings/branding-api.ts'
import { mailServerApi } from './settings/mail-server-api.ts'
import { publicAddressApi } from './settings/public-address-api.ts'
import { settingsAdminApi, settingsPublicApi } from './settings/settings-api.ts'
import { deliveriesApi, webhookTestsApi } from './webhooks/deliveries-api.ts'
import { webhookPreviewApi, webhooksApi } from './webhooks/webhooks-api.ts'

export type App = { http: Http; drain: (graceSeconds: number) => Promise<void>; renditions: Renditions }

/** `onRoute` is called for each route. */
export async function createApp(ctx: AppContext, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const renditions = createRenditions(ctx)
  const repair = createDimensionRepair(ctx)
  const uploads = createUploadsContext(ctx)
  const galleries = createGalleryContext(uploads, renditions)
  const liveStreams = createLiveStreams(ctx)
  const drain = createDrain()
  const http = createHttp(ctx.config, ctx.log, {
    fastPath: thumbnailFastPath(galleries, drain.isDraining),
    metrics: addHttpMetrics(ctx.gauges),
  })
  if (onRoute) http.addHook('onRoute', onRoute)
  const collected = collectRoutes(http)
  const activity = createActivityLog(ctx)

  http.get('/health/live', { config: { isOpenWhileDraining: true } }, async () => ({ status: 'ok' }))
  allowOrigins(http, ctx.config.corsOrigins)
  drain.install(http)
  await http.register(cookie)
  recordActivity(http, ctx, activity)
  sendRateUsage(http)
  limitAnonymous(http, ctx)
  logFailedSignIns(http)
  await http.register(healthApi(ctx))
  await http.register(metricsApi(ctx))

  await http.register(publicDocumentApi(collected))
  await http.register(publicApi(ctx, uploads, renditions), { prefix: '/api/v1' })

  await http.register(authApi(ctx, ctx.settings.recordOrigin), { prefix: '/api/auth' })
  await http.register(signOutApi(ctx, { path: '/logout', operationId: 'signOut' }), { prefix: '/api/auth' })
  await http.register(enteringApi(galleries), { prefix: '/api/auth/gallery' })
  // Outside `adminApi`, whose guard requires a valid session: signing out must work without one.
  await http.register(signOutApi(ctx, { path: '/auth/logout', operationId: 'signOutAdmin' }), {
    prefix: '/api/admin',
  })
  const shared = { collected, uploads, renditions, repair, liveStreams, activity }
  await http.register(adminApi(ctx, shared), { prefix: '/api/admin' })
  await http.register(customerAuthApi(galleries), { prefix: '/api/customer/auth' })
  await http.register(customerGalleriesApi(galleries), { prefix: '/api/customer' })
  await http.register(inviteApi(ctx), { prefix: '/api/invite' })
  await http.register(settingsPublicApi(ctx), { prefix: '/api/public' })
  await http.register(brandingFilesApi(ctx))
  await http.register(guestApi(galleries, liveStreams), { prefix: '/api/gallery' })
  await http.register(oembedApi(galleries), { prefix: '/api' })
  await http.register(collectionsApi(ctx.config, collected))
  await http.register(webFilesApi(ctx.log))
  await http.register(galleryPageApi(galleries))
  await http.register(coverPictureApi(galleries))
  await http.register(signedPicturesApi(galleries))
  await http.register(adminPageApi(ctx))
  await http.register(invitePageApi(ctx))
  await http.register(noticePageApi(galleries))
  await http.register(mailedReceiptsApi(galleries))
  http.addHook('onClose', galleries.counts.flush)
  http.addHook('onClose', activity.flush)
  http.addHook('onClose', repair.stop)
  const drainAll: App['drain'] = (graceSeconds) => {
    // Live streams end immediately; other requests get the grace period.
    liveStreams.close()
    return drain.drain(graceSeconds)
  }
  return { http, drain: drainAll, renditions }
}

type Shared = {
  collected: CollectedRoutes
  uploads: UploadsContext
  renditions: Renditions
  repair: DimensionRepair
  liveStreams: LiveStreams
  activity: ActivityLog
}

const adminApi =
  (ctx: AppContext, { collected, uploads, renditions, repair, liveStreams, activity }: Shared) =>
  async (admin: Http) => {
    const ofEvent = { prefix: '/events/:event_id' }
    const ofEventPhotos = { prefix: '/photos/:event_id' }
    const ofEventFeedback = { prefix: '/feedback/events/:event_id' }
    guardAdminApi(admin, ctx)
    await admin.register(adminDocumentApi(collected))
    await admin.register(adminAccountApi(ctx))
    await admin.register(secondFactorApi(ctx))
    await admin.register(apiTokensApi(ctx))
    await admin.register(settingsAdminApi(ctx))
    await admin.register(publicAddressApi(ctx))
    await admin.register(mailServerApi(ctx))
    await admin.register(brandingAdminApi(ctx))
    await admin.register(eventsApi(ctx))
    await admin.register(eventLifecycleApi(ctx))
    await admin.register(eventsAdminApi(ctx))
    await admin.register(eventTrashApi(ctx))
    await admin.register(eventMailApi(ctx))
    await admin.register(eventGuestsApi(ctx))
    await admin.register(guestErasureApi(ctx))
    await admin.register(eventTypesAdminApi(ctx))
    await admin.register(categoriesAdminApi(ctx))
    await admin.register(eventCategoriesApi(ctx, '/categories/event/:event_id'))
    await admin.register(categoryChangesApi(ctx))
    await admin.register(photosAdminApi(ctx))
    await admin.register(photoChangesApi(ctx), ofEventPhotos)
    await admin.register(photoTrashApi(ctx))
    await admin.register(photoGridApi(ctx))
    await admin.register(gridArchiveApi(ctx))
    await admin.register(knownPhotosApi(ctx))
    await admin.register(photoViewsApi(ctx, renditions))
    await admin.register(thumbnailsApi(ctx, renditions, '/photos/:event_id/thumbnail/:photo_id'))
    await admin.register(repairApi(ctx, repair))
    await admin.register(feedbackAdminApi(ctx))
    await admin.register(notesAdminApi(ctx))
    await admin.register(notesApi(ctx), ofEventFeedback)
    await admin.register(threadsApi(ctx), ofEvent)
    await admin.register(firstLookApi(ctx), ofEvent)
    await admin.register(packagesApi(ctx), ofEvent)
    await admin.register(roundsApi(ctx), ofEvent)
    await admin.register(receiptsApi(ctx, renditions), ofEvent)
    await admin.register(decisionsApi(ctx), ofEvent)
    await admin.register(versionsApi(ctx), ofEvent)
    await admin.register(moderationApi(ctx), { prefix: '/feedback' })
    await admin.register(selectionsApi(ctx))
    await admin.register(selectionStatesApi(ctx), { prefix: '/feedback' })
    await admin.register(picksApi(ctx), ofEventFeedback)
    await admin.register(liveApi(ctx, liveStreams))
    await admin.register(photoUploadsApi(ctx))
    await admin.register(chunkedUploadsApi(uploads), ofEventPhotos)
    await admin.register(customersApi(ctx))
    await admin.register(usersAdminApi(ctx, transferCustomers))
    await admin.register(accountTokensApi(ctx))
    await admin.register(exportsApi(ctx), ofEventFeedback)
    await admin.register(mergeSidecarsApi(ctx))
    await admin.register(webhooksApi(ctx))
    await admin.register(webhookPreviewApi(ctx))
    await admin.register(webhookTestsApi(ctx))
    await admin.register(deliveriesApi(ctx))
    await admin.register(activityApi(ctx, activity))
    await admin.register(dashboardApi(ctx, activity))
    await admin.register(instanceHealthApi(ctx))
  }

const guestApi = (galleries: GalleryContext, liveStreams: LiveStreams) => async (gallery: Http) => {
  hideArchivedFromGuests(gallery)
  limitGuestWrites(gallery, galleries)
  await gallery.register(galleryApi(galleries))
  await gallery.register(downloadsApi(galleries))
  await gallery.register(guestsApi(galleries))
  await gallery.register(guestFirstLookApi(galleries))
  await gallery.register(guestSelectionsApi(galleries))
  await gallery.register(guestRoundsApi(galleries))
  await gallery.register(guestReceiptsApi(galleries))
  await gallery.register(guestDecisionsApi(galleries))
  await gallery.register(guestFeedbackApi(galleries))
  await gallery.register(guestNotesApi(galleries))
  await gallery.register(guestThreadsApi(galleries))
  await gallery.register(guestLiveApi(galleries, liveStreams))
  await gallery.register(guestUploadApi(galleries))
  await gallery.register(guestChunkedUploadApi(galleries))
}
