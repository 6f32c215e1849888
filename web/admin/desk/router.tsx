import { createRouter } from '@tanstack/react-router'
import { Failed, Waiting } from '../parts/loaded.tsx'
import { NotFound } from './not-found.tsx'
import { routes } from './routes.tsx'

export const router = createRouter({
  routeTree: routes,
  basepath: '/admin',
  scrollRestoration: true,
  // What a page does not know of is not handed to it.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
