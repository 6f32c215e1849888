import cookie from '@fastify/cookie'
import type { RouteOptions } from 'fastify'
import { adminAccountApi } from './access/admin-account-api.ts'
import { limitAnonymous } from './access/anonymous-limit.ts'
import { apiTokensApi } from './access/api-tokens-api.ts'
import { authApi } from './access/auth-api.ts'
import { guardAdminApi, guardPublicApi } from './access/guards.ts'
import { metricsApi } from './access/metrics-api.ts'
import { secondFactorApi } from './access/second-factor-api.ts'
import { signOutApi } from './access/sign-out-api.ts'
import { activityApi } from './activity/activity-api.ts'
import { createActivityLog } from './activity/activity-log.ts'
import { recordActivity } from './activity/record-activity.ts'
import { customerAuthApi } from './customers/customer-auth-api.ts'
import { customersAdminApi } from './customers/customers-admin-api.ts'
import { handOverCustomers } from './customers/hand-over-customers.ts'
import { dashboardApi } from './dashboard/dashboard-api.ts'
import { deskPageApi } from './desk/desk-page-api.ts'
import { categoriesAdminApi } from './events/categories-api.ts'
import { eventGuestsApi } from './events/event-guests-api.ts'
import { eventLifecycleApi } from './events/event-lifecycle-api.ts'
import { eventMailApi } from './events/event-mail-api.ts'
import { eventTypesAdminApi, eventTypesPublicApi } from './events/event-types-api.ts'
import { eventsAdminApi } from './events/events-admin-api.ts'
import { eventsApi, eventsListApi } from './events/events-api.ts'
import { exportsApi } from './exports/exports-api.ts'
import { coverPictureApi } from './gallery/cover-picture-api.ts'
import { customerGalleriesApi } from './gallery/customer-galleries-api.ts'
import { downloadsApi } from './gallery/downloads-api.ts'
import { enteringApi } from './gallery/entering-api.ts'
import { galleryApi } from './gallery/gallery-api.ts'
import { withGalleries } from './gallery/gallery-house.ts'
import { galleryPageApi } from './gallery/gallery-page-api.ts'
import { guestChunkedUploadApi } from './gallery/guest-chunked-upload-api.ts'
import { guestFeedbackApi } from './gallery/guest-feedback-api.ts'
import { guestUploadApi } from './gallery/guest-upload-api.ts'
import { guestsApi } from './gallery/guests-api.ts'
import { oembedApi } from './gallery/oembed-api.ts'
import { hideArchivedFromGuests } from './gallery/open-gallery.ts'
import { thumbnailShortPath } from './gallery/short-path.ts'
import { instanceHealthApi } from './health/instance-health-api.ts'
import { liveApi } from './live/live-api.ts'
import { createLiveStreams } from './live/live-streams.ts'
import { adminDocumentApi } from './openapi/admin-document-api.ts'
import { gatherRoutes } from './openapi/gather-routes.ts'
import { publicDocumentApi } from './openapi/public-document-api.ts'
import { inviteApi } from './people/invite-api.ts'
import { invitePageApi } from './people/invite-page-api.ts'
import { usersAdminApi } from './people/users-admin-api.ts'
import { bulkPhotosApi } from './photos/bulk-photos-api.ts'
import { feedbackAdminApi } from './photos/feedback-admin-api.ts'
import { photoArchivesApi } from './photos/photo-archives-api.ts'
import { photoGridApi } from './photos/photo-grid-api.ts'
import { photoMediaApi } from './photos/photo-media-api.ts'
import { photoReplaceApi } from './photos/photo-replace-api.ts'
import { photoUploadsApi } from './photos/photo-uploads-api.ts'
import { photoViewsApi } from './photos/photo-views-api.ts'
import { photosAdminApi } from './photos/photos-admin-api.ts'
import { photosPublicApi } from './photos/photos-public-api.ts'
import { picksApi } from './photos/picks-api.ts'
import { createRenditions, type Renditions } from './photos/renditions.ts'
import { repairApi } from './photos/repair-api.ts'
import { createDimensionRepair } from './photos/repair-dimensions.ts'
import { createHttp, type Http } from './platform/http/create-http.ts'
import { allowOrigins } from './platform/http/cross-origin.ts'
import { createDrain } from './platform/http/drain.ts'
import { healthApi } from './platform/http/health-api.ts'
import { webFilesApi } from './platform/http/web-files-api.ts'
import { brandingAdminApi, brandingFilesApi } from './settings/branding-api.ts'
import type { House } from './settings/house.ts'
import { settingsAdminApi, settingsPublicApi } from './settings/settings-api.ts'
import { chunkedUploadsApi } from './uploads/chunked-uploads-api.ts'
import { withUploads } from './uploads/uploads-house.ts'
import { deliveriesApi } from './webhooks/deliveries-api.ts'
import { webhooksApi } from './webhooks/webhooks-api.ts'

export type App = { http: Http; drain: (graceSeconds: number) => Promise<void>; renditions: Renditions }

/**
 * The map: every feature's routes under its prefix, each API family in a scope with its own guard. Whoever wants a
 * list of all routes is told each of them.
 */
export async function createApp(house: House, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const renditions = createRenditions(house)
  const repair = createDimensionRepair(house)
  const uploads = withUploads(house)
  const galleries = withGalleries(uploads, renditions)
  const liveStreams = createLiveStreams(house)
  const drain = createDrain()
  const http = createHttp(house.config, house.log, thumbnailShortPath(galleries, drain.isDraining))
  if (onRoute) http.addHook('onRoute', onRoute)
  const gathered = gatherRoutes(http)
  const activity = createActivityLog(house)

  http.get('/health/live', { config: { isOpenWhileDraining: true } }, async () => ({ status: 'ok' }))
  allowOrigins(http, house.config.corsOrigins)
  drain.install(http)
  await http.register(cookie)
  recordActivity(http, house, activity)
  limitAnonymous(http, house)
  await http.register(healthApi(house))
  await http.register(metricsApi(house))

  await http.register(publicDocumentApi(gathered))
  await http.register(
    async (v1: Http) => {
      guardPublicApi(v1, house)
      await v1.register(eventsApi(house))
      await v1.register(eventsListApi(house))
      await v1.register(eventLifecycleApi(house))
      await v1.register(eventTypesPublicApi(house))
      await v1.register(photosPublicApi(house))
      await v1.register(photoMediaApi(house, renditions))
      await v1.register(photoArchivesApi(house))
    },
    { prefix: '/api/v1' },
  )

  await http.register(
    async (auth: Http) => {
      await auth.register(authApi(house, house.settings.noteOrigin))
      await auth.register(signOutApi(house, { path: '/logout', operationId: 'signOut' }))
      await auth.register(enteringApi(galleries), { prefix: '/gallery' })
    },
    { prefix: '/api/auth' },
  )
  // The same door, and outside the guard: it answers without a valid session too.
  await http.register(signOutApi(house, { path: '/auth/logout', operationId: 'signOutAdmin' }), {
    prefix: '/api/admin',
  })
  await http.register(
    async (admin: Http) => {
      guardAdminApi(admin, house)
      await admin.register(adminDocumentApi(gathered))
      await admin.register(adminAccountApi(house))
      await admin.register(secondFactorApi(house))
      await admin.register(apiTokensApi(house))
      await admin.register(settingsAdminApi(house))
      await admin.register(brandingAdminApi(house))
      await admin.register(eventsApi(house))
      await admin.register(eventLifecycleApi(house))
      await admin.register(eventsAdminApi(house))
      await admin.register(eventMailApi(house))
      await admin.register(eventGuestsApi(house))
      await admin.register(eventTypesAdminApi(house))
      await admin.register(categoriesAdminApi(house))
      await admin.register(photosAdminApi(house))
      await admin.register(photoGridApi(house))
      await admin.register(photoViewsApi(house, renditions))
      await admin.register(bulkPhotosApi(house))
      await admin.register(photoReplaceApi(house))
      await admin.register(repairApi(house, repair))
      await admin.register(feedbackAdminApi(house))
      await admin.register(picksApi(house))
      await admin.register(liveApi(house, liveStreams))
      await admin.register(photoUploadsApi(house))
      await admin.register(chunkedUploadsApi(uploads))
      await admin.register(customersAdminApi(house))
      await admin.register(usersAdminApi(house, handOverCustomers))
      await admin.register(exportsApi(house))
      await admin.register(webhooksApi(house))
      await admin.register(deliveriesApi(house))
      await admin.register(activityApi(house, activity))
      await admin.register(dashboardApi(house, activity))
      await admin.register(instanceHealthApi(house))
    },
    { prefix: '/api/admin' },
  )

  await http.register(
    async (customer: Http) => {
      await customer.register(customerAuthApi(galleries), { prefix: '/auth' })
      await customer.register(customerGalleriesApi(galleries))
    },
    { prefix: '/api/customer' },
  )

  await http.register(inviteApi(house), { prefix: '/api/invite' })
  await http.register(settingsPublicApi(house), { prefix: '/api/public' })
  await http.register(brandingFilesApi(house))
  await http.register(
    async (gallery: Http) => {
      hideArchivedFromGuests(gallery)
      await gallery.register(galleryApi(galleries))
      await gallery.register(downloadsApi(galleries))
      await gallery.register(guestsApi(galleries))
      await gallery.register(guestFeedbackApi(galleries))
      await gallery.register(guestUploadApi(galleries))
      await gallery.register(guestChunkedUploadApi(galleries))
    },
    { prefix: '/api/gallery' },
  )
  await http.register(oembedApi(galleries), { prefix: '/api' })
  await http.register(webFilesApi(house.log))
  await http.register(galleryPageApi(galleries))
  await http.register(coverPictureApi(galleries))
  await http.register(deskPageApi(house))
  await http.register(invitePageApi(house))
  http.addHook('onClose', galleries.counts.settled)
  http.addHook('onClose', activity.settled)
  http.addHook('onClose', repair.stop)
  const drainAll: App['drain'] = (graceSeconds) => {
    // Streams end at once (decisions §1); all else gets the grace.
    liveStreams.close()
    return drain.drain(graceSeconds)
  }
  return { http, drain: drainAll, renditions }
}
