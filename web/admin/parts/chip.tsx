import './chip.css'
import type { ReactNode } from 'react'

type Props = { isOn: boolean; onClick: () => void; children: ReactNode }

/** One of several that are on or off, such as the filters of a list. */
export const Chip = ({ isOn, onClick, children }: Props) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={onClick}>
    {children}
  </button>
)
