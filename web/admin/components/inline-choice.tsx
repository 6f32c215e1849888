import './inline-choice.css'
import type { ReactNode } from 'react'

type Props = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

/** A select in one line with its label. `children` are the options. */
export const InlineChoice = ({ label, value, onChange, children }: Props) => (
  <label className="inline-choice">
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {children}
    </select>
  </label>
)
