import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Unreachable } from '../../shared/api-error.ts'
import { meQuery } from '../app/me.ts'
import { queries } from '../app/query-client.ts'
import { omitUndefined, parsePositiveInt, parseText } from '../app/search-params.ts'
import { Confirmations } from '../components/confirm.tsx'
import { NotFound } from '../components/not-found.tsx'
import { Notices } from '../components/notices.tsx'
import { Frame } from './app-frame.tsx'

/** The code of a page could not be loaded. Browsers do not request it again until the user reloads. */
export class ModuleLoadError extends Unreachable {}

/**
 * Returns the options of a route whose page is loaded at the first visit. A failed load becomes a ModuleLoadError:
 * otherwise the router would reload the whole app, which ends running uploads.
 */
const lazyRoute = <Parent extends AnyRoute, Path extends string, Name extends string>(
  parent: Parent,
  path: Path,
  // `void` avoids a circular type: the pages use the type of these routes.
  load: () => Promise<Record<Name, () => void>>,
  name: Name,
) => {
  const loadPage = () =>
    load().catch((cause) => {
      throw new ModuleLoadError(undefined, { cause })
    })
  return { getParentRoute: () => parent, path, component: lazyRouteComponent(loadPage, name) }
}

type Search = Record<string, unknown>

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Notices />
      <Confirmations />
    </>
  ),
})

const requireSession = async ({ location }: { location: { href: string } }) => {
  const me = await queries.ensureQueryData(meQuery)
  if (me === null) throw redirect({ to: '/sign-in', search: { back: location.href } })
  if (me.mustChangePassword) throw redirect({ to: '/first-password' })
}

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Frame, beforeLoad: requireSession })

/** Pages without the navigation. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: requireSession })

const event = createRoute(lazyRoute(inside, '/events/$eventId', () => import('./event-frame.tsx'), 'EventFrame'))

const settings = createRoute(
  lazyRoute(inside, '/settings', () => import('../settings/settings-frame.tsx'), 'SettingsFrame'),
)

const parseTodo = ({ state, kind, photo, page }: Search) =>
  omitUndefined({
    state: parseText(state),
    kind: parseText(kind),
    photo: parsePositiveInt(photo),
    page: parsePositiveInt(page),
  })

// The route lists are constants, because routes written inside a call of `addChildren` lose the types of their paths.
const eventRoutes = [
  createRoute({
    ...lazyRoute(event, '/', () => import('../photos/photos-page.tsx'), 'PhotosPage'),
    // The page itself parses and checks these parameters.
    validateSearch: (search: Search) => search as Record<string, string | number | undefined>,
  }),
  createRoute({
    ...lazyRoute(event, '/picks', () => import('../selections/picks-page.tsx'), 'PicksPage'),
    validateSearch: ({ by, way, show, sort }: Search) =>
      omitUndefined({ by: parseText(by), way: parseText(way), show: parseText(show), sort: parseText(sort) }),
  }),
  createRoute({
    ...lazyRoute(event, '/comments', () => import('../feedback/comments/comments-page.tsx'), 'CommentsPage'),
    validateSearch: ({ status, photo, guest, page }: Search) =>
      omitUndefined({
        status: parseText(status),
        photo: parsePositiveInt(photo),
        guest: parseText(guest),
        page: parsePositiveInt(page),
      }),
  }),
  createRoute({
    ...lazyRoute(event, '/todo', () => import('../feedback/threads/todo-page.tsx'), 'TodoPage'),
    validateSearch: parseTodo,
  }),
  createRoute(lazyRoute(event, '/share', () => import('../events/share/share-page.tsx'), 'SharePage')),
  createRoute(lazyRoute(event, '/trash', () => import('../photos/trash/photo-trash-page.tsx'), 'PhotoTrashPage')),
  createRoute(lazyRoute(event, '/edit', () => import('../events/settings/edit-event-page.tsx'), 'EditEventPage')),
] as const

const settingsRoutes = [
  createRoute({
    getParentRoute: () => settings,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/settings/$group', params: { group: 'general' } })
    },
  }),
  createRoute(lazyRoute(settings, '$group', () => import('../settings/settings-page.tsx'), 'SettingsPage')),
] as const

const insideRoutes = [
  createRoute(lazyRoute(inside, '/', () => import('../dashboard/dashboard-page.tsx'), 'DashboardPage')),
  createRoute(lazyRoute(inside, '/welcome', () => import('../dashboard/welcome-page.tsx'), 'WelcomePage')),
  createRoute({
    ...lazyRoute(inside, '/events', () => import('../events/list/events-page.tsx'), 'EventsPage'),
    validateSearch: ({ search, status, type, sort, page }: Search) =>
      omitUndefined({
        search: parseText(search),
        status: parseText(status),
        type: parseText(type),
        sort: parseText(sort),
        page: parsePositiveInt(page),
      }),
  }),
  createRoute(lazyRoute(inside, '/events/new', () => import('../events/create/new-event-page.tsx'), 'NewEventPage')),
  createRoute(
    lazyRoute(inside, '/events/trash', () => import('../events/trash/event-trash-page.tsx'), 'EventTrashPage'),
  ),
  event.addChildren(eventRoutes),
  createRoute(lazyRoute(inside, '/webhooks', () => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage')),
  createRoute({
    ...lazyRoute(inside, '/webhooks/new', () => import('../webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
    validateSearch: ({ from }: Search) => omitUndefined({ from: parsePositiveInt(from) }),
  }),
  createRoute({
    ...lazyRoute(inside, '/webhooks/$webhookId', () => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
    validateSearch: ({ part, status, page, delivery }: Search) =>
      omitUndefined({
        part: parseText(part),
        status: parseText(status),
        page: parsePositiveInt(page),
        delivery: parsePositiveInt(delivery),
      }),
  }),
  createRoute(lazyRoute(inside, '/people', () => import('../people/users-page.tsx'), 'UsersPage')),
  createRoute(
    lazyRoute(inside, '/people/tokens', () => import('../people/account-tokens-page.tsx'), 'AccountTokensPage'),
  ),
  createRoute(lazyRoute(inside, '/customers', () => import('../people/customers-page.tsx'), 'CustomersPage')),
  createRoute(lazyRoute(inside, '/account', () => import('../account/account-page.tsx'), 'AccountPage')),
  createRoute(lazyRoute(inside, '/tokens', () => import('../account/api-tokens-page.tsx'), 'ApiTokensPage')),
  settings.addChildren(settingsRoutes),
  createRoute(lazyRoute(inside, '/health', () => import('../health/health-page.tsx'), 'HealthPage')),
  createRoute({
    ...lazyRoute(inside, '/mail', () => import('../health/mail/mail-page.tsx'), 'MailPage'),
    validateSearch: ({ status, page }: Search) =>
      omitUndefined({ status: parseText(status), page: parsePositiveInt(page) }),
  }),
  createRoute({
    ...lazyRoute(inside, '/activity', () => import('../health/activity-page.tsx'), 'ActivityPage'),
    validateSearch: (search: Search) => search as Record<string, string | number | undefined>,
  }),
  createRoute({ getParentRoute: () => inside, path: '$', component: NotFound }),
] as const

const signedInRoutes = [
  createRoute({
    ...lazyRoute(
      signedIn,
      '/events/$eventId/todo/print',
      () => import('../feedback/threads/todo-page.tsx'),
      'PrintPage',
    ),
    validateSearch: parseTodo,
  }),
] as const

const rootRoutes = [
  createRoute({
    ...lazyRoute(root, '/sign-in', () => import('../account/sign-in-page.tsx'), 'SignInPage'),
    validateSearch: ({ back }: Search) => omitUndefined({ back: parseText(back) }),
  }),
  createRoute(
    lazyRoute(root, '/first-password', () => import('../account/first-password-page.tsx'), 'FirstPasswordPage'),
  ),
  inside.addChildren(insideRoutes),
  signedIn.addChildren(signedInRoutes),
] as const

export const routes = root.addChildren(rootRoutes)
