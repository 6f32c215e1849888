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
  'members',
] as const

type Props = { id: (typeof sectionIds)[number]; action?: ReactNode; children: ReactNode }

export const Section = ({ id, action, children }: Props) => (
  <section className="card" id={id} aria-labelledby={`${id}-title`}>
    <div className="card-head">
      <h2 id={`${id}-title`}>{t(`section_${id}`)}</h2>
      {action}
    </div>
    {children}
  </section>
)
