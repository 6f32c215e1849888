import './page.css'
import { type ReactNode, useEffect } from 'react'
import { deskData } from '../desk/desk-data.ts'

type Props = {
  title: string
  /** Beside the title: what can be done with all of it. */
  actions?: ReactNode
  /** Above the title: where it lies. */
  above?: ReactNode
  /** Forms and texts read better when they are not as wide as the window. */
  isNarrow?: boolean
  children: ReactNode
}

/** One page of a module: its title, which the window bears too, and what stands below. */
export function Page({ title, actions, above, isNarrow = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${deskData.studioName || 'Proofroom'}`
  }, [title])
  return (
    <div className={`page${isNarrow ? ' narrow' : ''}`}>
      {above}
      <div className="page-head">
        <h1 dir="auto">{title}</h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** Something of its own on a page, on a card. */
export const Card = ({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) => (
  <section className="card">
    {(title || actions) && (
      <div className="card-head">
        {title && <h2>{title}</h2>}
        {actions}
      </div>
    )}
    {children}
  </section>
)

/** What a list says while there is nothing in it: what would stand here, and how it comes here. */
export const Empty = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {text && <p>{text}</p>}
    {children}
  </div>
)

/** A short word on the state of something; `tone` says it in colour as well, never in colour alone. */
export const Badge = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad'
  children: ReactNode
}) => <span className={`badge ${tone}`}>{children}</span>
