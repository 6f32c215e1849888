import './link.css'
import { useMemo } from 'preact/hooks'
import { createQrCodePath } from '../../shared/draw-qr-code.ts'

/** Dark on white in every theme, because QR readers expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => createQrCodePath(text), [text])
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
