import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionEvents } from './api/session-fetch.ts'
import { adminAppData } from './app/admin-app-data.ts'
import { loadMessages } from './app/language.ts'
import { queries } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { trackFocus } from './components/focus-history.ts'

setNonce(adminAppData.nonce)
await loadMessages()
trackFocus()

sessionEvents.addEventListener('end', () => {
  queries.clear()
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') router.navigate({ to: '/sign-in', search: { back: href }, ignoreBlocker: true })
})

const root = document.getElementById('desk')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
