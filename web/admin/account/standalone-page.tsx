import './standalone-page.css'
import { type ReactNode, useEffect } from 'react'
import { adminAppData } from '../app/admin-app-data.ts'

/** The layout of pages without navigation, such as the sign-in. */
export function StandalonePage({ title, children }: { title: string; children: ReactNode }) {
  const studio = adminAppData.studioName || 'Proofroom'
  useEffect(() => {
    document.title = `${title} · ${studio}`
  }, [title, studio])
  return (
    <main className="alone">
      <div className="card">
        <p className="quiet-text" dir="auto">
          {studio}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
