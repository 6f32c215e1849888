import './inline-choice.css'
import type { ReactNode } from 'react'

type Props = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

/** A choice in one line with its label, such as the order of a list. `children`: its options. */
export const InlineChoice = ({ label, value, onChange, children }: Props) => (
  <label className="inline-choice">
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {children}
    </select>
  </label>
)
