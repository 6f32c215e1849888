import { useEffect, useState } from 'preact/hooks'
import type { GuestLinkReply } from '../../../contract/gallery/guests.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Trouble } from '../parts/field.tsx'
import { CopyLink, QrCode } from '../parts/link.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { call } from '../state/api.ts'
import { readerLocale, t } from '../state/page.ts'

const times = new Intl.DateTimeFormat(readerLocale, { timeStyle: 'short' })

/** Each opening of the dialog creates a new link, because a link expires and works only once. */
export function ContinueDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null)
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
          <QrCode url={link.url} />
          <p class="quiet">{t('continueUntil', { time: times.format(new Date(link.expires_at)) })}</p>
          <CopyLink url={link.url} />
        </>
      )}
      {isExpired && <p role="status">{t('continueOver')}</p>}
      {trouble !== null && <Trouble>{trouble}</Trouble>}
      {(isExpired || trouble !== null) && (
        <button type="button" class="button primary" onClick={createLink}>
          {t('continueAgain')}
        </button>
      )}
    </Sheet>
  )
}
