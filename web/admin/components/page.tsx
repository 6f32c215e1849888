import './page.css'
import { type ReactNode, useEffect } from 'react'
import { adminAppData } from '../app/admin-app-data.ts'

type Props = {
  title: string
  actions?: ReactNode
  /** Above the title, such as a link to the list. */
  breadcrumb?: ReactNode
  isNarrow?: boolean
  children: ReactNode
}

export function Page({ title, actions, breadcrumb, isNarrow = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${adminAppData.studioName || 'Proofroom'}`
  }, [title])
  return (
    <div className={`page${isNarrow ? ' narrow' : ''}`}>
      {breadcrumb}
      <div className="page-head">
        <h1 dir="auto">{title}</h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

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

export const Empty = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {text && <p>{text}</p>}
    {children}
  </div>
)

type BadgeProps = { tone?: 'plain' | 'good' | 'warn' | 'bad'; children: ReactNode }

/** `tone` adds only a color, so the text must name the state. */
export const Badge = ({ tone = 'plain', children }: BadgeProps) => <span className={`badge ${tone}`}>{children}</span>
