import type { ReactNode } from 'react'
import { translator } from '../../app/language.ts'

const t = translator('events')

/** The sections of the page in their order. The hash of the address can be one of these ids. */
export const sectionIds = [
  'about',
  'access',
  'look',
  'downloads',
  'feedback',
  'uploads',
  'cover',
  'categories',
  'versions',
  'letters',
  'members',
] as const

type Props = { id: (typeof sectionIds)[number]; action?: ReactNode; children: ReactNode }

/** What is changed most often is open at first. */
const openIds: readonly string[] = ['about', 'access'] satisfies Array<Props['id']>

/** The element keeps whether it is open: React does not set an attribute whose value stays the same. */
export const Section = ({ id, action, children }: Props) => (
  <details className="card fold-card" id={id} open={openIds.includes(id)}>
    <summary>
      <h2>{t(`section_${id}`)}</h2>
    </summary>
    <div className="stack">
      {action && <div>{action}</div>}
      {children}
    </div>
  </details>
)

export function openSection(id: string): void {
  const section = document.getElementById(id)
  if (section instanceof HTMLDetailsElement) section.open = true
}
