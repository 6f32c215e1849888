import './tabs.css'
import type { ReactNode } from 'react'

/** Links to the parts of one thing; each part is a page of its own with an address. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label}>
    {children}
  </nav>
)
