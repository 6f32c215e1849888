import { tokenAccountApi } from './access/api-tokens/token-account-api.ts'
import { guardPublicApi } from './access/guards.ts'
import { photoArchivesApi } from './downloads/photo-archives-api.ts'
import { photoMediaApi, thumbnailsApi } from './downloads/photo-media-api.ts'
import { categoriesPublicApi, categoryChangesApi, eventCategoriesApi } from './events/categories/categories-api.ts'
import { eventTypesPublicApi } from './events/categories/event-types-api.ts'
import { eventLifecycleApi } from './events/event-lifecycle-api.ts'
import { eventsApi, eventsListApi } from './events/events-api.ts'
import { exportsApi } from './exports/exports-api.ts'
import { commentsApi, moderationApi } from './feedback/moderation/moderation-api.ts'
import { notesApi } from './feedback/notes/notes-api.ts'
import { threadsApi } from './feedback/threads/threads-api.ts'
import { firstLookApi } from './gallery/first-look/first-look-api.ts'
import { pictureAddressesApi } from './gallery/signed-pictures-api.ts'
import { customersApi } from './people/customers/customers-api.ts'
import { photoChangesApi } from './photos/photo-changes-api.ts'
import type { Renditions } from './photos/renditions/renditions.ts'
import { decisionsApi } from './photos/versions/decisions-api.ts'
import type { Http } from './platform/http/create-http.ts'
import { chunkedUploadsApi } from './receiving/chunked/chunked-uploads-api.ts'
import type { UploadsContext } from './receiving/chunked/upload-gate.ts'
import { photosPublicApi } from './receiving/photos-public-api.ts'
import { versionsApi } from './receiving/versions-api.ts'
import { picksApi } from './selections/picks-api.ts'
import { receiptsApi } from './selections/receipts/receipts-api.ts'
import { packagesApi } from './selections/rounds/packages-api.ts'
import { roundsApi } from './selections/rounds/rounds-api.ts'
import { selectionStatesApi, selectionsApi } from './selections/selections-api.ts'
import type { AppContext } from './settings/app-context.ts'
import { webhookTestsApi } from './webhooks/deliveries-api.ts'
import { webhooksApi } from './webhooks/webhooks-api.ts'

/**
 * For API tokens. A plugin that is part of this and of the admin API states its routes once: their schema, scope and
 * permission. Sessions have no scope.
 */
export const publicApi = (ctx: AppContext, uploads: UploadsContext, renditions: Renditions) => async (v1: Http) => {
  const ofEvent = { prefix: '/events/:event_id' }
  guardPublicApi(v1, ctx)
  await v1.register(tokenAccountApi(ctx))
  await v1.register(eventsApi(ctx))
  await v1.register(eventsListApi(ctx))
  await v1.register(eventLifecycleApi(ctx))
  await v1.register(eventTypesPublicApi(ctx))
  await v1.register(photosPublicApi(ctx))
  await v1.register(photoMediaApi(ctx, renditions))
  await v1.register(thumbnailsApi(ctx, renditions, '/events/:event_id/photos/:photo_id/thumbnail'))
  await v1.register(photoArchivesApi(ctx))
  await v1.register(pictureAddressesApi(ctx))
  await v1.register(photoChangesApi(ctx), ofEvent)
  await v1.register(chunkedUploadsApi(uploads), ofEvent)
  await v1.register(eventCategoriesApi(ctx, '/events/:event_id/categories'))
  await v1.register(categoriesPublicApi(ctx), ofEvent)
  await v1.register(categoryChangesApi(ctx), ofEvent)
  await v1.register(picksApi(ctx), ofEvent)
  await v1.register(selectionsApi(ctx))
  await v1.register(selectionStatesApi(ctx), ofEvent)
  await v1.register(firstLookApi(ctx), ofEvent)
  await v1.register(packagesApi(ctx), ofEvent)
  await v1.register(roundsApi(ctx), ofEvent)
  await v1.register(receiptsApi(ctx, renditions), ofEvent)
  await v1.register(decisionsApi(ctx), ofEvent)
  await v1.register(versionsApi(ctx), ofEvent)
  await v1.register(commentsApi(ctx), ofEvent)
  await v1.register(notesApi(ctx), ofEvent)
  await v1.register(threadsApi(ctx), ofEvent)
  await v1.register(moderationApi(ctx), { prefix: '/events/:event_id/comments' })
  await v1.register(exportsApi(ctx), ofEvent)
  await v1.register(customersApi(ctx))
  await v1.register(webhooksApi(ctx))
  await v1.register(webhookTestsApi(ctx))
}
