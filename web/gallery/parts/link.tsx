import './link.css'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { copyText } from '../../shared/copy-text.ts'
import { createQrCodePath } from '../../shared/draw-qr-code.ts'
import { t } from '../state/page.ts'
import { AnyIcon } from './any-icon.tsx'

export function CopyLink({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [statusText, setStatusText] = useState('')
  useEffect(() => setStatusText(''), [url])
  return (
    <div class="copy">
      <label class="heard" for={id}>
        {t('link')}
      </label>
      <input
        ref={field}
        id={id}
        readOnly
        dir="ltr"
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button
        type="button"
        class="button"
        onClick={async () => {
          const isCopied = await copyText(url)
          setStatusText(t(isCopied ? 'copied' : 'notCopied'))
          if (!isCopied) field.current?.select()
        }}
      >
        <AnyIcon name="copy" />
        {t('copy')}
      </button>
      <p role="status">{statusText}</p>
    </div>
  )
}

/** Black on white in every theme, because QR readers expect these colors. */
export function QrCode({ url }: { url: string }) {
  const { size, path } = useMemo(() => createQrCodePath(url), [url])
  return (
    <svg class="qr" role="img" aria-label={t('qrCode')} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
