import './qr-code.css'
import { useMemo } from 'react'
import { createQrCodePath } from '../../shared/draw-qr-code.ts'

/** Always dark on white: some readers cannot scan inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => createQrCodePath(text), [text])
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
