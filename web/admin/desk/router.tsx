import { createRouter } from '@tanstack/react-router'
import { loadAnew } from '../../shared/load-anew.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Failed, Waiting } from '../parts/loaded.tsx'
import { showNotice } from '../parts/notices.tsx'
import { PartMissing } from './lazy-page.ts'
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
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ({ error, reset }) => (
    <Failed error={error} onRetry={error instanceof PartMissing ? () => void askAnew(error) : reset} />
  ),
})

async function askAnew(missing: PartMissing): Promise<void> {
  if (!(await loadAnew())) showNotice(errorMessage(missing), { isAlarm: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
