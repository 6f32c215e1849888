import './tabs.css'
import type { ReactNode } from 'react'
import { useActiveInView } from './use-active-in-view.ts'

/** Links to the pages of one object. The row scrolls where it is too narrow. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label} ref={useActiveInView()}>
    {children}
  </nav>
)
