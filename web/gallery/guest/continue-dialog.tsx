import { useEffect, useState } from 'preact/hooks'
import type { GuestLinkReply } from '../../../contract/gallery/guests.ts'
import { getReaderLocale } from '../../shared/reader-locale.ts'
import { CopyLink } from '../parts/copy-link.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { QrCode } from '../parts/qr-code.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { page, t } from '../state/page.ts'

type Link = { url: string; expires_at: string }

/** Each opening creates a new link, because an old one may be used up. */
export function ContinueDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<Link | null>(null)
  const [isExpired, setExpired] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const createLink = () => {
    setTrouble(null)
    call<typeof GuestLinkReply>('/guest/link', { method: 'POST' }).then(
      (made) => {
        setLink(made)
        setExpired(false)
      },
      (error) => setTrouble(errorMessage(error)),
    )
  }
  useEffect(createLink, [])
  useEffect(() => {
    if (!link) return
    const timer = setTimeout(() => setExpired(true), Date.parse(link.expires_at) - Date.now())
    return () => clearTimeout(timer)
  }, [link])

  return (
    <Sheet title={t('continueElsewhere')} onClose={onClose}>
      <p>{t('continueHow')}</p>
      {link && !isExpired && (
        <>
          <QrCode text={link.url} label={t('qrCode')} />
          <p class="quiet">{t('continueUntil', { time: formatExpiry(link.expires_at) })}</p>
          <CopyLink url={link.url} />
        </>
      )}
      {isExpired && <p role="status">{t('continueOver')}</p>}
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {(isExpired || trouble !== null) && (
        <button type="button" class="button primary" onClick={createLink}>
          {t('continueAgain')}
        </button>
      )}
    </Sheet>
  )
}

const formatExpiry = (time: string): string =>
  new Intl.DateTimeFormat(getReaderLocale(page.locale, navigator.languages), { timeStyle: 'short' }).format(
    new Date(time),
  )
