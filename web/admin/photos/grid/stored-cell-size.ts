import { useState } from 'react'
import { cellSizes } from './grid-layout.ts'

const key = 'proofroom-desk-cell'

export function useStoredCellSize(): [number, (cellPx: number) => void] {
  const [cellPx, setCellPx] = useState(() => {
    const stored = Number(localStorage.getItem(key))
    return stored >= cellSizes.minPx && stored <= cellSizes.maxPx ? stored : cellSizes.defaultPx
  })
  const store = (next: number) => {
    setCellPx(next)
    localStorage.setItem(key, String(next))
  }
  return [cellPx, store]
}
