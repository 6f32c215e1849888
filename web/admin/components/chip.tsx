import './chip.css'
import type { ReactNode } from 'react'

type Props = { isOn: boolean; onClick: () => void; children: ReactNode }

export const Chip = ({ isOn, onClick, children }: Props) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={onClick}>
    {children}
  </button>
)
