import '../assets/tokens.css'
import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { reloadPage } from '../shared/reload-page.ts'
import { sessionEvents } from './api/session-fetch.ts'
import { adminAppData } from './app/admin-app-data.ts'
import { loadMessages } from './app/language.ts'
import { queries } from './app/query-client.ts'
import { trackFocus } from './components/focus-history.ts'
import { LoadError, Loading } from './components/loaded.tsx'
import { NotFound } from './components/not-found.tsx'
import { showError } from './components/notices.tsx'
import { ignoreStrayClicks } from './frame/ignore-stray-clicks.ts'
import { ModuleLoadError, routes } from './frame/routes.tsx'

const router = createRouter({
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

async function refetch(loadError: ModuleLoadError): Promise<void> {
  if (!(await reloadPage())) showError(loadError)
}

setNonce(adminAppData.nonce)
await loadMessages()
trackFocus()
ignoreStrayClicks()

sessionEvents.addEventListener('end', () => {
  queries.clear()
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') router.navigate({ to: '/sign-in', search: { back: href }, ignoreBlocker: true })
})

const root = document.getElementById('admin')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
