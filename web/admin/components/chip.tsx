import './chip.css'
import type { ReactNode } from 'react'

export const Chip = ({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={onClick}>
    {children}
  </button>
)
