import type { Role } from '../../../contract/access.ts'
import { createApp } from '../../../server/app.ts'
import { withAppContext } from '../fixtures/accounts.ts'
import type { TestService } from '../service/test-service.ts'

/** Returns the method and pattern of every registered route except HEAD. */
export async function listRegisteredRoutes(service: TestService): Promise<string[]> {
  const routes = new Set<string>()
  await withAppContext(service, async (ctx) => {
    const { http } = await createApp(ctx, ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${url}`)
    })
    await http.ready()
    await http.close()
  })
  return [...routes].sort()
}

/** Returns the path of a route pattern, with parameters that match nothing. */
export const createPath = (pattern: string): string =>
  pattern
    .replace(':slug_prefix', 'nothing')
    .replace(/:(slug|group|share_token)/g, 'nothing')
    .replace(/:\w+/g, '999999')

/** `permission`: all permissions of an array are required. null: no permission is required. */
export type GuardedRoute = {
  route: string
  permission: string | string[] | null
  /** The only role that may call the route. */
  role?: Role
}

/** Routes for sessions of accounts. Every account may call the routes with the permission null and without a role. */
export const adminRoutes: GuardedRoute[] = [
  { route: 'GET /api/admin/openapi.json', permission: null },
  { route: 'POST /api/admin/auth/change-password', permission: null },
  { route: 'GET /api/admin/auth/mfa', permission: null },
  { route: 'POST /api/admin/auth/mfa/setup', permission: null },
  { route: 'POST /api/admin/auth/mfa/confirm', permission: null },
  { route: 'POST /api/admin/auth/mfa/recovery-codes', permission: null },
  { route: 'POST /api/admin/auth/mfa/disable', permission: null },
  { route: 'GET /api/admin/api-tokens', permission: null },
  { route: 'POST /api/admin/api-tokens', permission: null },
  { route: 'DELETE /api/admin/api-tokens/:token_id', permission: null },
  { route: 'GET /api/admin/settings', permission: 'settings.view' },
  { route: 'PUT /api/admin/settings', permission: 'settings.edit' },
  { route: 'PUT /api/admin/settings/:group', permission: 'settings.edit' },
  { route: 'GET /api/admin/branding', permission: 'settings.view' },
  { route: 'PUT /api/admin/branding', permission: 'settings.edit' },
  { route: 'POST /api/admin/events', permission: 'events.create' },
  { route: 'GET /api/admin/events', permission: 'events.view' },
  { route: 'GET /api/admin/events/:event_id', permission: 'events.view' },
  { route: 'PATCH /api/admin/events/:event_id', permission: 'events.edit' },
  { route: 'DELETE /api/admin/events/:event_id', permission: 'events.delete' },
  { route: 'POST /api/admin/events/:event_id/publish', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/archive', permission: 'events.archive' },
  { route: 'POST /api/admin/events/:event_id/restore', permission: 'events.archive' },
  { route: 'GET /api/admin/events/:event_id/share-link', permission: 'events.view' },
  { route: 'PUT /api/admin/events/:event_id', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/duplicate', permission: ['events.view', 'events.create'] },
  { route: 'POST /api/admin/events/:event_id/reset-password', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/reveal-password', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/renew-link', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/close', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/trash', permission: 'events.delete' },
  { route: 'GET /api/admin/trashed-events', permission: 'events.view' },
  { route: 'POST /api/admin/trashed-events/:event_id/restore', permission: 'events.delete' },
  { route: 'DELETE /api/admin/trashed-events/:event_id', permission: 'events.delete' },
  { route: 'DELETE /api/admin/trashed-events', permission: 'events.delete' },
  { route: 'GET /api/admin/event-defaults', permission: 'events.create' },
  { route: 'GET /api/admin/events/:event_id/members', permission: 'events.view' },
  { route: 'PUT /api/admin/events/:event_id/members', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/resend-email', permission: 'events.edit' },
  { route: 'GET /api/admin/events/:event_id/guests', permission: 'events.view' },
  { route: 'POST /api/admin/events/:event_id/guests/merge', permission: 'events.edit' },
  { route: 'DELETE /api/admin/events/:event_id/guests/:guest_id', permission: 'events.edit' },
  { route: 'POST /api/admin/events/:event_id/guests/:guest_id/link', permission: 'events.edit' },
  { route: 'GET /api/admin/events/:event_id/selections', permission: 'events.view' },
  { route: 'GET /api/admin/mail/outbox', permission: 'settings.view' },
  { route: 'GET /api/admin/mail/outbox/:mail_id/html', permission: 'settings.view' },
  { route: 'POST /api/admin/mail/outbox/:mail_id/retry', permission: 'settings.edit' },
  { route: 'POST /api/admin/mail/test', permission: 'settings.edit' },
  { route: 'GET /api/admin/mail/server', permission: 'settings.edit', role: 'super_admin' },
  { route: 'PUT /api/admin/mail/server', permission: 'settings.edit', role: 'super_admin' },
  { route: 'POST /api/admin/mail/server/test', permission: 'settings.edit', role: 'super_admin' },
  { route: 'GET /api/admin/public-address', permission: 'settings.edit', role: 'super_admin' },
  { route: 'PUT /api/admin/public-address', permission: 'settings.edit', role: 'super_admin' },
  { route: 'GET /api/admin/event-types', permission: 'events.view' },
  { route: 'POST /api/admin/event-types', permission: 'settings.edit' },
  { route: 'PUT /api/admin/event-types/:slug_prefix', permission: 'settings.edit' },
  { route: 'DELETE /api/admin/event-types/:slug_prefix', permission: 'settings.edit' },
  { route: 'GET /api/admin/categories/global', permission: 'events.view' },
  { route: 'GET /api/admin/categories/event/:event_id', permission: 'events.view' },
  { route: 'POST /api/admin/categories', permission: 'events.edit' },
  { route: 'PUT /api/admin/categories/:category_id', permission: 'events.edit' },
  { route: 'DELETE /api/admin/categories/:category_id', permission: 'events.edit' },
  { route: 'GET /api/admin/photos/:event_id/photos', permission: 'photos.view' },
  { route: 'GET /api/admin/photos/:event_id/photo-ids', permission: 'photos.view' },
  { route: 'GET /api/admin/photos/:event_id/download', permission: ['photos.view', 'photos.download'] },
  { route: 'GET /api/admin/photos/:event_id/photo/:photo_id', permission: 'photos.view' },
  { route: 'GET /api/admin/photos/:event_id/thumbnail/:photo_id', permission: 'photos.view' },
  { route: 'GET /api/admin/photos/:event_id/preview/:photo_id', permission: 'photos.view' },
  {
    route: 'GET /api/admin/photos/:event_id/photos/:photo_id/download',
    permission: ['photos.view', 'photos.download'],
  },
  { route: 'POST /api/admin/photos/:event_id/photos/:photo_id/replace', permission: 'photos.upload' },
  { route: 'POST /api/admin/photos/:event_id/photos/bulk-delete', permission: 'photos.delete' },
  { route: 'POST /api/admin/photos/:event_id/photos/bulk-update', permission: 'photos.edit' },
  { route: 'PUT /api/admin/photos/:event_id/order', permission: 'photos.edit' },
  { route: 'POST /api/admin/photos/:event_id/trash', permission: 'photos.delete' },
  { route: 'GET /api/admin/photos/:event_id/trash', permission: 'photos.view' },
  { route: 'GET /api/admin/photos/:event_id/trash/:photo_id/thumbnail', permission: 'photos.view' },
  { route: 'POST /api/admin/photos/:event_id/trash/bulk-restore', permission: 'photos.delete' },
  { route: 'POST /api/admin/photos/:event_id/trash/bulk-delete', permission: 'photos.delete' },
  { route: 'DELETE /api/admin/photos/:event_id/trash', permission: 'photos.delete' },
  { route: 'POST /api/admin/photos/:event_id/known', permission: 'photos.view' },
  { route: 'POST /api/admin/photos/repair-dimensions', permission: 'photos.edit' },
  { route: 'GET /api/admin/photos/repair-dimensions/status', permission: 'photos.view' },
  { route: 'PATCH /api/admin/photos/:event_id/photos/:photo_id', permission: 'photos.edit' },
  { route: 'GET /api/admin/photos/:event_id/photos/:photo_id/camera', permission: 'photos.view' },
  { route: 'PUT /api/admin/photos/:event_id/photos/:photo_id/mark', permission: 'photos.edit' },
  { route: 'DELETE /api/admin/photos/:event_id/photos/:photo_id', permission: 'photos.delete' },
  { route: 'GET /api/admin/feedback/events/:event_id', permission: 'photos.view' },
  { route: 'GET /api/admin/feedback/events/:event_id/picks', permission: 'photos.view' },
  { route: 'GET /api/admin/feedback/events/:event_id/notes', permission: 'photos.view' },
  { route: 'PUT /api/admin/feedback/selections/:selection_id/done', permission: 'photos.edit' },
  { route: 'PUT /api/admin/feedback/selections/:selection_id/open', permission: 'photos.edit' },
  { route: 'PUT /api/admin/feedback/notes/:note_id/done', permission: 'photos.edit' },
  { route: 'PUT /api/admin/feedback/notes/:note_id/open', permission: 'photos.edit' },
  { route: 'PUT /api/admin/feedback/:feedback_id/approve', permission: 'photos.edit' },
  { route: 'PUT /api/admin/feedback/:feedback_id/hide', permission: 'photos.edit' },
  { route: 'DELETE /api/admin/feedback/:feedback_id', permission: 'photos.edit' },
  { route: 'GET /api/admin/feedback/events/:event_id/feedback-settings', permission: 'photos.view' },
  { route: 'PUT /api/admin/feedback/events/:event_id/feedback-settings', permission: 'photos.edit' },
  { route: 'GET /api/admin/events/:event_id/live', permission: 'photos.view' },
  { route: 'GET /api/admin/feedback/events/:event_id/export', permission: 'photos.view' },
  { route: 'POST /api/admin/feedback/events/:event_id/export/sidecars', permission: 'photos.view' },
  { route: 'GET /api/admin/feedback/events/:event_id/exports', permission: 'photos.view' },
  { route: 'GET /api/admin/feedback/events/:event_id/exports/:export_id/changes', permission: 'photos.view' },
  { route: 'POST /api/admin/photos/:event_id/upload', permission: 'photos.upload' },
  { route: 'POST /api/admin/photos/:event_id/chunked-upload/init', permission: 'photos.upload' },
  { route: 'POST /api/admin/photos/:event_id/chunked-upload/:upload_id/chunk/:index', permission: 'photos.upload' },
  { route: 'POST /api/admin/photos/:event_id/chunked-upload/:upload_id/complete', permission: 'photos.upload' },
  { route: 'GET /api/admin/photos/:event_id/chunked-upload/:upload_id/status', permission: 'photos.view' },
  { route: 'DELETE /api/admin/photos/:event_id/chunked-upload/:upload_id', permission: 'photos.delete' },
  { route: 'GET /api/admin/activity', permission: 'events.view' },
  { route: 'GET /api/admin/activity/acts', permission: 'events.view' },
  { route: 'GET /api/admin/activity/acts/:act_id', permission: 'photos.view' },
  { route: 'GET /api/admin/dashboard', permission: 'events.view' },
  { route: 'GET /api/admin/health', permission: 'settings.view' },
  { route: 'GET /api/admin/health/proxy', permission: 'settings.view' },
  { route: 'POST /api/admin/health/proxy/body', permission: 'settings.view' },
  { route: 'GET /api/admin/health/proxy/range', permission: 'settings.view' },
  { route: 'GET /api/admin/health/proxy/stream', permission: 'settings.view' },
  { route: 'GET /api/admin/customers', permission: 'events.view' },
  { route: 'POST /api/admin/customers', permission: 'events.edit' },
  { route: 'PATCH /api/admin/customers/:customer_id', permission: 'events.edit' },
  { route: 'DELETE /api/admin/customers/:customer_id', permission: 'events.edit' },
  { route: 'PUT /api/admin/customers/:customer_id/events/:event_id', permission: 'events.edit' },
  { route: 'DELETE /api/admin/customers/:customer_id/events/:event_id', permission: 'events.edit' },
  { route: 'GET /api/admin/webhooks', permission: 'settings.view' },
  { route: 'GET /api/admin/webhooks/event-types', permission: 'settings.view' },
  { route: 'POST /api/admin/webhooks', permission: 'settings.edit' },
  { route: 'POST /api/admin/webhooks/preview', permission: 'settings.view' },
  { route: 'GET /api/admin/webhooks/:webhook_id', permission: 'settings.view' },
  { route: 'PUT /api/admin/webhooks/:webhook_id', permission: 'settings.edit' },
  { route: 'DELETE /api/admin/webhooks/:webhook_id', permission: 'settings.edit' },
  { route: 'POST /api/admin/webhooks/:webhook_id/test', permission: 'settings.edit' },
  { route: 'GET /api/admin/webhooks/:webhook_id/deliveries', permission: 'settings.view' },
  { route: 'GET /api/admin/webhooks/:webhook_id/deliveries/:delivery_id', permission: 'settings.view' },
  { route: 'POST /api/admin/webhooks/:webhook_id/deliveries/:delivery_id/replay', permission: 'settings.edit' },
  { route: 'GET /api/admin/users', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users', permission: null, role: 'super_admin' },
  { route: 'PATCH /api/admin/users/:user_id', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users/:user_id/deactivate', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users/:user_id/reset-password', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users/:user_id/hand-over', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users/:user_id/remove-second-factor', permission: null, role: 'super_admin' },
  { route: 'GET /api/admin/users/api-tokens', permission: null, role: 'super_admin' },
  { route: 'DELETE /api/admin/users/api-tokens/:token_id', permission: null, role: 'super_admin' },
  { route: 'POST /api/admin/users/:user_id/revoke-tokens', permission: null, role: 'super_admin' },
  { route: 'GET /api/admin/roles', permission: null, role: 'super_admin' },
]

export { apiTokenRoutes } from './token-routes.ts'

export const customerRoutes = ['GET /api/customer/events', 'POST /api/customer/events/:slug/access-token']

/** Routes for guests of one gallery and for operators who view it. */
export const galleryRoutes = [
  'GET /api/gallery/:slug/photos',
  'GET /api/gallery/:slug/outline',
  'POST /api/gallery/:slug/upload',
  'POST /api/gallery/:slug/chunked-upload/init',
  'POST /api/gallery/:slug/chunked-upload/:upload_id/chunk/:index',
  'POST /api/gallery/:slug/chunked-upload/:upload_id/complete',
  'GET /api/gallery/:slug/chunked-upload/:upload_id/status',
  'DELETE /api/gallery/:slug/chunked-upload/:upload_id',
  'GET /api/gallery/:slug/session',
  'GET /api/gallery/:slug/guest',
  'POST /api/gallery/:slug/guest',
  'POST /api/gallery/:slug/guest/link',
  'GET /api/gallery/:slug/selection',
  'POST /api/gallery/:slug/selection',
  'POST /api/gallery/:slug/photos/:photo_id/feedback',
  'GET /api/gallery/:slug/photos/:photo_id/feedback',
  'DELETE /api/gallery/:slug/photos/:photo_id/feedback/:feedback_id',
  'POST /api/gallery/:slug/notes',
  'GET /api/gallery/:slug/notes',
  'DELETE /api/gallery/:slug/notes/:note_id',
  'GET /api/gallery/:slug/my-feedback',
  'GET /api/gallery/:slug/feedback-settings',
  'GET /api/gallery/:slug/photo/:photo_id',
  'GET /api/gallery/:slug/thumbnail/:photo_id',
  'GET /api/gallery/:slug/download/:photo_id',
  'GET /api/gallery/:slug/download-all',
  'GET /api/gallery/:slug/download-selected',
  'POST /api/gallery/:slug/download-selected',
  'GET /api/gallery/:slug/download-estimate',
]

/** Routes that need no credential or check it themselves. */
export const unauthenticatedRoutes = [
  'GET /',
  'GET /admin',
  'GET /admin/*',
  'GET /health',
  'GET /health/live',
  'GET /metrics',
  'GET /api/openapi.json',
  'GET /api/gallery/openapi.json',
  'GET /api/postman.json',
  'GET /api/gallery/postman.json',
  'POST /api/auth/admin/login',
  'POST /api/auth/admin/login/mfa',
  'POST /api/auth/refresh',
  'POST /api/auth/logout',
  'GET /api/auth/session',
  'POST /api/admin/auth/logout',
  'POST /api/auth/gallery/share-login',
  'POST /api/auth/gallery/verify',
  'POST /api/auth/gallery/logout',
  'POST /api/customer/auth/login',
  'GET /api/customer/auth/session',
  'POST /api/customer/auth/logout',
  'GET /api/invite/:token',
  'POST /api/invite/:token',
  'GET /invite/:token',
  'POST /invite/:token',
  'GET /api/public/settings',
  'GET /api/oembed',
  'GET /branding/logo.png',
  'GET /branding/style.css',
  'GET /api/gallery/:slug/info',
  'GET /api/gallery/resolve/:identifier',
  'GET /gallery/:slug',
  'GET /gallery/:slug/:share_token',
  'GET /gallery/:slug/:share_token/cover.jpg',
  'GET /pictures/:photo_id/:width/:expires/:signature',
  'POST /gallery/:slug/enter',
  'GET /gallery/:slug/continue/:link_token',
  'POST /gallery/:slug/continue/:link_token',
]

/** Returns whether a route serves a static or built file of the web apps or the API documentation. */
export const isAsset = (route: string): boolean =>
  /^\w+ \/((assets|built|api\/docs)(\/|$)|gallery\/[\w-]+\.js$)/.test(route)
