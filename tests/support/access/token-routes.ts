import type { GuardedRoute } from './routes.ts'

type PublicRoute = GuardedRoute & {
  scope: 'read' | 'write' | 'admin'
  /** The route of the admin API that is declared together with this route. */
  twin?: string
  /** Outcome of a permitted call without a body for an event that does not exist. Default: 404 NOT_FOUND. */
  emptyCall?: '200' | '400 VALIDATION_ERROR'
}

/**
 * The scope, the permissions (- for none), the status of a call without a body, the method, the path below `/api/v1`, and
 * the path of the twin below `/api/admin`.
 */
const table = `
  read  -                           200 GET    /me
  write events.create               400 POST   /events
  read  events.view                 200 GET    /events
  read  events.view                 404 GET    /events/:event_id
  write events.edit                 400 PATCH  /events/:event_id
  admin events.delete               404 DELETE /events/:event_id
  write events.edit                 404 POST   /events/:event_id/publish
  write events.archive              404 POST   /events/:event_id/archive
  write events.archive              404 POST   /events/:event_id/restore
  read  events.view                 404 GET    /events/:event_id/share-link
  read  events.view                 200 GET    /event-types
  write photos.upload               404 POST   /events/:event_id/photos
  read  photos.view                 404 GET    /events/:event_id/photos
  read  photos.view+photos.download 404 GET    /events/:event_id/photos/download
  read  photos.view                 404 GET    /events/:event_id/photos/:photo_id
  read  photos.view+photos.download 404 GET    /events/:event_id/photos/:photo_id/download
  read  photos.view                 404 GET    /events/:event_id/photos/:photo_id/preview
  read  photos.view                 404 GET    /events/:event_id/picture-addresses
  read  photos.view                 404 GET    /events/:event_id/photos/:photo_id/thumbnail /photos/:event_id/thumbnail/:photo_id
  write photos.edit                 400 PATCH  /events/:event_id/photos/:photo_id /photos/:event_id/photos/:photo_id
  write photos.edit                 400 PUT    /events/:event_id/photos/:photo_id/mark /photos/:event_id/photos/:photo_id/mark
  admin photos.delete               404 DELETE /events/:event_id/photos/:photo_id /photos/:event_id/photos/:photo_id
  write photos.edit                 400 POST   /events/:event_id/photos/bulk-update /photos/:event_id/photos/bulk-update
  admin photos.delete               400 POST   /events/:event_id/photos/bulk-delete /photos/:event_id/photos/bulk-delete
  write photos.upload               400 POST   /events/:event_id/chunked-upload/init /photos/:event_id/chunked-upload/init
  write photos.upload               404 POST   /events/:event_id/chunked-upload/:upload_id/chunk/:index /photos/:event_id/chunked-upload/:upload_id/chunk/:index
  write photos.upload               404 POST   /events/:event_id/chunked-upload/:upload_id/complete /photos/:event_id/chunked-upload/:upload_id/complete
  read  photos.view                 404 GET    /events/:event_id/chunked-upload/:upload_id/status /photos/:event_id/chunked-upload/:upload_id/status
  admin photos.delete               404 DELETE /events/:event_id/chunked-upload/:upload_id /photos/:event_id/chunked-upload/:upload_id
  read  events.view                 404 GET    /events/:event_id/categories /categories/event/:event_id
  write events.edit                 400 POST   /events/:event_id/categories /categories
  write events.edit                 400 PUT    /events/:event_id/categories/:category_id /categories/:category_id
  admin events.edit                 404 DELETE /events/:event_id/categories/:category_id /categories/:category_id
  read  photos.view                 404 GET    /events/:event_id/picks /feedback/events/:event_id/picks
  read  events.view                 404 GET    /events/:event_id/selections /events/:event_id/selections
  write photos.edit                 404 PUT    /events/:event_id/selections/:selection_id/done /feedback/selections/:selection_id/done
  write photos.edit                 404 PUT    /events/:event_id/selections/:selection_id/open /feedback/selections/:selection_id/open
  read  events.view                 404 GET    /events/:event_id/first-look /events/:event_id/first-look
  write events.edit                 400 PUT    /events/:event_id/first-look /events/:event_id/first-look
  admin events.edit                 404 DELETE /events/:event_id/first-look /events/:event_id/first-look
  write events.edit                 404 POST   /events/:event_id/first-look/complete /events/:event_id/first-look/complete
  read  events.view                 404 GET    /events/:event_id/package /events/:event_id/package
  write photos.edit                 400 PUT    /events/:event_id/package /events/:event_id/package
  admin photos.edit                 404 DELETE /events/:event_id/package /events/:event_id/package
  read  events.view                 404 GET    /events/:event_id/rounds /events/:event_id/rounds
  write photos.edit                 404 POST   /events/:event_id/rounds/:round_id/accept /events/:event_id/rounds/:round_id/accept
  write photos.edit                 400 POST   /events/:event_id/rounds/:round_id/reopen /events/:event_id/rounds/:round_id/reopen
  write photos.edit                 404 POST   /events/:event_id/rounds/:round_id/remind /events/:event_id/rounds/:round_id/remind
  read  events.view                 404 GET    /events/:event_id/selections/:selection_id /events/:event_id/selections/:selection_id
  read  events.view                 404 GET    /events/:event_id/selections/:selection_id/receipt /events/:event_id/selections/:selection_id/receipt
  read  events.view+photos.view     404 GET    /events/:event_id/selections/:selection_id/receipt/:photo_id.jpg /events/:event_id/selections/:selection_id/receipt/:photo_id.jpg
  read  events.view                 404 GET    /events/:event_id/selections/:selection_id/difference /events/:event_id/selections/:selection_id/difference
  read  events.view                 404 GET    /events/:event_id/decisions /events/:event_id/decisions
  read  photos.view                 404 GET    /events/:event_id/photos/:photo_id/versions /events/:event_id/photos/:photo_id/versions
  write photos.upload               404 POST   /events/:event_id/photos/:photo_id/versions /events/:event_id/photos/:photo_id/versions
  admin photos.delete               404 DELETE /events/:event_id/photos/:photo_id/versions/:number /events/:event_id/photos/:photo_id/versions/:number
  read  photos.view                 404 GET    /events/:event_id/versions /events/:event_id/versions
  admin photos.delete               404 DELETE /events/:event_id/versions /events/:event_id/versions
  read  photos.view                 404 GET    /events/:event_id/comments /feedback/events/:event_id
  read  notes.view                  404 GET    /events/:event_id/notes /feedback/events/:event_id/notes
  read  events.view                 404 GET    /events/:event_id/threads /events/:event_id/threads
  read  events.view                 404 GET    /events/:event_id/threads/:thread_id /events/:event_id/threads/:thread_id
  write photos.edit                 400 POST   /events/:event_id/threads/:thread_id/messages /events/:event_id/threads/:thread_id/messages
  write photos.edit                 400 PUT    /events/:event_id/threads/:thread_id/state /events/:event_id/threads/:thread_id/state
  write photos.edit                 404 PUT    /events/:event_id/threads/:thread_id/messages/:message_id/approve /events/:event_id/threads/:thread_id/messages/:message_id/approve
  write photos.edit                 404 PUT    /events/:event_id/threads/:thread_id/messages/:message_id/hide /events/:event_id/threads/:thread_id/messages/:message_id/hide
  admin photos.edit                 404 DELETE /events/:event_id/threads/:thread_id/messages/:message_id /events/:event_id/threads/:thread_id/messages/:message_id
  write photos.edit                 404 PUT    /events/:event_id/comments/:feedback_id/approve /feedback/:feedback_id/approve
  write photos.edit                 404 PUT    /events/:event_id/comments/:feedback_id/hide /feedback/:feedback_id/hide
  admin photos.edit                 404 DELETE /events/:event_id/comments/:feedback_id /feedback/:feedback_id
  read  photos.view                 400 GET    /events/:event_id/export /feedback/events/:event_id/export
  read  photos.view                 404 GET    /events/:event_id/exports /feedback/events/:event_id/exports
  read  photos.view                 404 GET    /events/:event_id/exports/:export_id/changes /feedback/events/:event_id/exports/:export_id/changes
  read  events.view                 200 GET    /customers /customers
  write events.edit                 400 POST   /customers /customers
  write events.edit                 400 PATCH  /customers/:customer_id /customers/:customer_id
  admin events.edit                 404 DELETE /customers/:customer_id /customers/:customer_id
  write events.edit                 404 PUT    /customers/:customer_id/events/:event_id /customers/:customer_id/events/:event_id
  admin events.edit                 404 DELETE /customers/:customer_id/events/:event_id /customers/:customer_id/events/:event_id
  read  settings.view               200 GET    /webhooks /webhooks
  admin settings.edit               400 POST   /webhooks /webhooks
  read  settings.view               200 GET    /webhooks/event-types /webhooks/event-types
  read  settings.view               404 GET    /webhooks/:webhook_id /webhooks/:webhook_id
  admin settings.edit               400 PUT    /webhooks/:webhook_id /webhooks/:webhook_id
  admin settings.edit               404 DELETE /webhooks/:webhook_id /webhooks/:webhook_id
  admin settings.edit               404 POST   /webhooks/:webhook_id/test /webhooks/:webhook_id/test
`

export const apiTokenRoutes: PublicRoute[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [scope, permissions = '', empty, method, path, twin] = line.trim().split(/ +/)
    const [first = null, ...others] = permissions === '-' ? [] : permissions.split('+')
    return {
      route: `${method} /api/v1${path}`,
      scope: scope as PublicRoute['scope'],
      permission: first !== null && others.length > 0 ? [first, ...others] : first,
      ...(empty === '200' && { emptyCall: '200' }),
      ...(empty === '400' && { emptyCall: '400 VALIDATION_ERROR' }),
      ...(twin && { twin: `${method} /api/admin${twin}` }),
    }
  })
