import './tabs.css'
import type { ReactNode } from 'react'
import { useActiveInSight } from './use-active-in-sight.ts'

/** Links to the parts of one thing; each part is a page of its own with an address. Where they are many, they scroll. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label} ref={useActiveInSight()}>
    {children}
  </nav>
)
