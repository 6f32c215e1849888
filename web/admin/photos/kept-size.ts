import { useState } from 'react'
import { cellSizes } from './grid-moves.ts'

const key = 'proofroom-desk-cell'

export function useKeptSize(): [number, (cellPx: number) => void] {
  const [cellPx, setCellPx] = useState(() => {
    const kept = Number(localStorage.getItem(key))
    return kept >= cellSizes.least && kept <= cellSizes.most ? kept : cellSizes.usual
  })
  const keep = (next: number) => {
    setCellPx(next)
    localStorage.setItem(key, String(next))
  }
  return [cellPx, keep]
}
