import cookie from '@fastify/cookie'
import type { RouteOptions } from 'fastify'
import { limitAnonymous } from './access/anonymous-limit.ts'
import { apiTokensApi } from './access/api-tokens-api.ts'
import { adminAccountApi, adminLogoutApi, authApi } from './access/auth-api.ts'
import { guardAdminApi, guardPublicApi } from './access/guards.ts'
import { metricsApi } from './access/metrics-api.ts'
import { customerAuthApi } from './customers/customer-auth-api.ts'
import { customersAdminApi } from './customers/customers-admin-api.ts'
import { categoriesAdminApi } from './events/categories-api.ts'
import { eventGuestsApi } from './events/event-guests-api.ts'
import { eventLifecycleApi } from './events/event-lifecycle-api.ts'
import { eventMailApi } from './events/event-mail-api.ts'
import { eventTypesAdminApi, eventTypesPublicApi } from './events/event-types-api.ts'
import { eventsApi } from './events/events-api.ts'
import { exportsApi } from './exports/exports-api.ts'
import { coverPictureApi } from './gallery/cover-picture-api.ts'
import { customerGalleriesApi } from './gallery/customer-galleries-api.ts'
import { downloadsApi } from './gallery/downloads-api.ts'
import { enteringApi } from './gallery/entering-api.ts'
import { galleryApi } from './gallery/gallery-api.ts'
import { withGalleries } from './gallery/gallery-house.ts'
import { galleryPageApi } from './gallery/gallery-page-api.ts'
import { guestFeedbackApi } from './gallery/guest-feedback-api.ts'
import { guestUploadApi } from './gallery/guest-upload-api.ts'
import { guestsApi } from './gallery/guests-api.ts'
import { thumbnailShortPath } from './gallery/short-path.ts'
import { liveApi } from './live/live-api.ts'
import { createLiveStreams } from './live/live-streams.ts'
import { describePublicApi } from './openapi/describe-public-api.ts'
import { feedbackAdminApi } from './photos/feedback-admin-api.ts'
import { photoArchivesApi } from './photos/photo-archives-api.ts'
import { photoMediaApi } from './photos/photo-media-api.ts'
import { photoUploadsApi } from './photos/photo-uploads-api.ts'
import { photosAdminApi } from './photos/photos-admin-api.ts'
import { photosPublicApi } from './photos/photos-public-api.ts'
import { createRenditions, type Renditions } from './photos/renditions.ts'
import { createHttp, type Http } from './platform/http/create-http.ts'
import { allowOrigins } from './platform/http/cross-origin.ts'
import { createDrain } from './platform/http/drain.ts'
import { healthApi } from './platform/http/health-api.ts'
import type { House } from './settings/house.ts'
import { settingsAdminApi, settingsPublicApi } from './settings/settings-api.ts'

export type App = { http: Http; drain: (graceSeconds: number) => Promise<void>; renditions: Renditions }

/**
 * The map: every feature's routes under its prefix, each API family in a scope with its own guard. Whoever wants a
 * list of all routes is told each of them.
 */
export async function createApp(house: House, onRoute?: (route: RouteOptions) => void): Promise<App> {
  const renditions = createRenditions(house)
  const galleries = withGalleries(house, renditions)
  const liveStreams = createLiveStreams(house)
  const drain = createDrain()
  const http = createHttp(house.config, house.log, thumbnailShortPath(galleries, drain.isDraining))
  if (onRoute) http.addHook('onRoute', onRoute)

  http.get('/health/live', { config: { isOpenWhileDraining: true } }, async () => ({ status: 'ok' }))
  allowOrigins(http, house.config.corsOrigins)
  drain.install(http)
  await http.register(cookie)
  limitAnonymous(http, house)
  await http.register(healthApi(house))
  await http.register(metricsApi(house))

  await http.register(async (documented: Http) => {
    await describePublicApi(documented)
    await documented.register(
      async (v1: Http) => {
        guardPublicApi(v1, house)
        await v1.register(eventsApi(house))
        await v1.register(eventLifecycleApi(house))
        await v1.register(eventTypesPublicApi(house))
        await v1.register(photosPublicApi(house))
        await v1.register(photoMediaApi(house, renditions))
        await v1.register(photoArchivesApi(house))
      },
      { prefix: '/api/v1' },
    )
  })

  await http.register(
    async (auth: Http) => {
      await auth.register(authApi(house, house.settings.noteOrigin))
      await auth.register(enteringApi(galleries), { prefix: '/gallery' })
    },
    { prefix: '/api/auth' },
  )
  await http.register(adminLogoutApi(house), { prefix: '/api/admin' })
  await http.register(
    async (admin: Http) => {
      guardAdminApi(admin, house)
      await admin.register(adminAccountApi(house))
      await admin.register(apiTokensApi(house))
      await admin.register(settingsAdminApi(house))
      await admin.register(eventsApi(house))
      await admin.register(eventLifecycleApi(house))
      await admin.register(eventMailApi(house))
      await admin.register(eventGuestsApi(house))
      await admin.register(eventTypesAdminApi(house))
      await admin.register(categoriesAdminApi(house))
      await admin.register(photosAdminApi(house))
      await admin.register(feedbackAdminApi(house))
      await admin.register(liveApi(house, liveStreams))
      await admin.register(photoUploadsApi(house))
      await admin.register(customersAdminApi(house))
      await admin.register(exportsApi(house))
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

  await http.register(settingsPublicApi(house), { prefix: '/api/public' })
  await http.register(
    async (gallery: Http) => {
      await gallery.register(galleryApi(galleries))
      await gallery.register(downloadsApi(galleries))
      await gallery.register(guestsApi(galleries))
      await gallery.register(guestFeedbackApi(galleries))
      await gallery.register(guestUploadApi(galleries))
    },
    { prefix: '/api/gallery' },
  )
  await http.register(galleryPageApi(galleries))
  await http.register(coverPictureApi(galleries))
  http.addHook('onClose', galleries.counts.settled)
  const drainAll: App['drain'] = (graceSeconds) => {
    // Streams end at once (decisions §1); all else gets the grace.
    liveStreams.close()
    return drain.drain(graceSeconds)
  }
  return { http, drain: drainAll, renditions }
}
