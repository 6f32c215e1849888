import { createRouter } from '@tanstack/react-router'
import { reloadPage } from '../../shared/reload-page.ts'
import { errorMessage } from '../components/error-messages.ts'
import { LoadError, Loading } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { ModuleLoadError } from './lazy-page.ts'
import { NotFound } from './not-found.tsx'
import { routes } from './routes.tsx'

export const router = createRouter({
  routeTree: routes,
  basepath: '/admin',
  scrollRestoration: true,
  // Drops search parameters that a page does not declare.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => (
    <LoadError error={error} onRetry={error instanceof ModuleLoadError ? () => void refetch(error) : reset} />
  ),
})

async function refetch(loadError: ModuleLoadError): Promise<void> {
  if (!(await reloadPage())) showNotice(errorMessage(loadError), { isAlarm: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
