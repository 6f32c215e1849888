import { useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { CopyLink, QrCode } from '../parts/link.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { page, t } from '../state/page.ts'
import { createShareLinks } from './share-links.ts'

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const [links] = useState(() => createShareLinks(location.href, page.share_path))
  const [isView, setView] = useState(links.view !== null)
  const url = (isView && links.view) || links.gallery
  return (
    <Sheet title={t('share')} onClose={onClose}>
      {links.view !== null && (
        <fieldset>
          <legend>{t('shareWhat')}</legend>
          {([true, false] as const).map((value) => (
            <label key={String(value)} class="switch">
              <input type="radio" name="shared" checked={isView === value} onChange={() => setView(value)} />
              {t(value ? 'shareView' : 'shareGallery')}
            </label>
          ))}
          {isView && links.isOwn && <p class="quiet">{t('shareOwn')}</p>}
        </fieldset>
      )}
      <QrCode url={url} />
      <CopyLink url={url} />
      {page.event.requires_password && <p class="quiet">{t('sharePassword')}</p>}
      {'share' in navigator && (
        <button
          type="button"
          class="button primary"
          onClick={() => {
            // The promise also rejects when the guest closes the share sheet, which is not an error.
            navigator.share({ title: page.event.event_name, url }).catch(() => undefined)
          }}
        >
          <Icon name="share" />
          {t('shareBy')}
        </button>
      )}
    </Sheet>
  )
}
