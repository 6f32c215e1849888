import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { Confirmations } from '../components/confirm.tsx'
import { Notices } from '../components/notices.tsx'
import { Frame } from './app-frame.tsx'
import { lazyPage } from './lazy-page.ts'
import { meQuery } from './me.ts'
import { NotFound } from './not-found.tsx'
import { queries } from './query-client.ts'

/** Every page of the admin app by its path below `/admin`. Each module is loaded when it is first opened. */

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Notices />
      <Confirmations />
    </>
  ),
})

/** The router parses text that looks like a number as a number. */
const parseText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined
const parsePositiveInt = (value: unknown): number | undefined =>
  Number(value) >= 1 && Number(value) < 2 ** 31 ? Math.trunc(Number(value)) : undefined

function omitUndefined<T extends Record<string, unknown>>(search: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ back }: Record<string, unknown>) => omitUndefined({ back: parseText(back) }),
  component: lazyPage(() => import('../account/sign-in-page.tsx'), 'SignInPage'),
})

const firstPassword = createRoute({
  getParentRoute: () => root,
  path: '/first-password',
  component: lazyPage(() => import('../account/first-password-page.tsx'), 'FirstPasswordPage'),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Frame,
  beforeLoad: async ({ location }) => {
    const me = await queries.ensureQueryData(meQuery)
    if (me === null) throw redirect({ to: '/sign-in', search: { back: location.href } })
    if (me.mustChangePassword) throw redirect({ to: '/first-password' })
  },
})

const dashboard = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyPage(() => import('../dashboard/dashboard-page.tsx'), 'DashboardPage'),
})

const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyPage(() => import('../dashboard/welcome-page.tsx'), 'WelcomePage'),
})

// Events

const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  validateSearch: ({ search, status, type, sort, page }: Record<string, unknown>) =>
    omitUndefined({
      search: parseText(search),
      status: parseText(status),
      type: parseText(type),
      sort: parseText(sort),
      page: parsePositiveInt(page),
    }),
  component: lazyPage(() => import('../events/list/events-page.tsx'), 'EventsPage'),
})

const newEvent = createRoute({
  getParentRoute: () => inside,
  path: '/events/new',
  component: lazyPage(() => import('../events/create/new-event-page.tsx'), 'NewEventPage'),
})

const event = createRoute({
  getParentRoute: () => inside,
  path: '/events/$eventId',
  component: lazyPage(() => import('../events/layout/event-frame.tsx'), 'EventFrame'),
})

const eventPhotos = createRoute({
  getParentRoute: () => event,
  path: '/',
  // The page itself parses and checks the filters of the grid and the open photo.
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | number | undefined>,
  component: lazyPage(() => import('../photos/photos-page.tsx'), 'PhotosPage'),
})

const eventPicks = createRoute({
  getParentRoute: () => event,
  path: '/picks',
  validateSearch: ({ by, way, show, sort }: Record<string, unknown>) =>
    omitUndefined({ by: parseText(by), way: parseText(way), show: parseText(show), sort: parseText(sort) }),
  component: lazyPage(() => import('../feedback/picks/picks-page.tsx'), 'PicksPage'),
})

const eventComments = createRoute({
  getParentRoute: () => event,
  path: '/comments',
  validateSearch: ({ status, photo, guest, page }: Record<string, unknown>) =>
    omitUndefined({
      status: parseText(status),
      photo: parsePositiveInt(photo),
      guest: parseText(guest),
      page: parsePositiveInt(page),
    }),
  component: lazyPage(() => import('../feedback/comments/comments-page.tsx'), 'CommentsPage'),
})

const eventShare = createRoute({
  getParentRoute: () => event,
  path: '/share',
  component: lazyPage(() => import('../events/share/share-page.tsx'), 'SharePage'),
})

const eventEdit = createRoute({
  getParentRoute: () => event,
  path: '/edit',
  component: lazyPage(() => import('../events/settings/edit-event-page.tsx'), 'EditEventPage'),
})

// Webhooks

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks',
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/new',
  validateSearch: ({ from }: Record<string, unknown>) => omitUndefined({ from: parsePositiveInt(from) }),
  component: lazyPage(() => import('../webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
})

const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$webhookId',
  validateSearch: ({ part, status, page, delivery }: Record<string, unknown>) =>
    omitUndefined({
      part: parseText(part),
      status: parseText(status),
      page: parsePositiveInt(page),
      delivery: parsePositiveInt(delivery),
    }),
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
})

// People

const users = createRoute({
  getParentRoute: () => inside,
  path: '/people',
  component: lazyPage(() => import('../people/users-page.tsx'), 'UsersPage'),
})

const customers = createRoute({
  getParentRoute: () => inside,
  path: '/customers',
  component: lazyPage(() => import('../people/customers-page.tsx'), 'CustomersPage'),
})

// Account

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyPage(() => import('../account/account-page.tsx'), 'AccountPage'),
})

const apiTokens = createRoute({
  getParentRoute: () => inside,
  path: '/tokens',
  component: lazyPage(() => import('../account/api-tokens-page.tsx'), 'ApiTokensPage'),
})

// The instance

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyPage(() => import('../settings/settings-frame.tsx'), 'SettingsFrame'),
})

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$group', params: { group: 'general' } })
  },
})

const settingsGroup = createRoute({
  getParentRoute: () => settings,
  path: '$group',
  component: lazyPage(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
})

const health = createRoute({
  getParentRoute: () => inside,
  path: '/health',
  component: lazyPage(() => import('../health/health-page.tsx'), 'HealthPage'),
})

const mail = createRoute({
  getParentRoute: () => inside,
  path: '/mail',
  validateSearch: ({ status, page }: Record<string, unknown>) =>
    omitUndefined({ status: parseText(status), page: parsePositiveInt(page) }),
  component: lazyPage(() => import('../health/mail-page.tsx'), 'MailPage'),
})

const activity = createRoute({
  getParentRoute: () => inside,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | number | undefined>,
  component: lazyPage(() => import('../health/activity-page.tsx'), 'ActivityPage'),
})

const notFoundRoute = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound })

export const routes = root.addChildren([
  signIn,
  firstPassword,
  inside.addChildren([
    dashboard,
    welcome,
    events,
    newEvent,
    event.addChildren([eventPhotos, eventPicks, eventComments, eventShare, eventEdit]),
    webhooks,
    newWebhook,
    webhook,
    users,
    customers,
    account,
    apiTokens,
    settings.addChildren([settingsIndex, settingsGroup]),
    health,
    mail,
    activity,
    notFoundRoute,
  ]),
])
