import './link.css'
import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'

/** As the standard wants it around the code. */
const quietZone = 4

/** Dark on white in every theme: readers of such codes expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawing(text), [text])
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawing(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { size, path: squares.join('') }
}
