import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionEvents } from './api/session-fetch.ts'
import { adminAppData } from './desk/desk-data.ts'
import { loadMessages } from './desk/language.ts'
import { queries } from './desk/queries.ts'
import { router } from './desk/router.tsx'
import { trackFocus } from './parts/focus-trail.ts'

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
