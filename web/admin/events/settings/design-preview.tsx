import './design-preview.css'
import { useEffect, useState } from 'react'
import { translator } from '../../app/language.ts'
import type { Event } from '../event-context.tsx'
import type { EventDraft } from '../fields/event-draft.ts'
import { previewPath } from '../share-urls.ts'

const t = translator('events')

/** A slider changes many times a second. */
const delayMs = 300

/** The gallery on a desktop and on a phone, with a design that may not be saved yet. */
export function DesignPreview({ event, draft }: { event: Event; draft: EventDraft }) {
  const { theme_preset: theme, header_style: header, typeface } = draft
  const { cover_layout: cover, cover_focus_x, cover_focus_y } = draft
  const design = new URLSearchParams({ ...(theme && { theme }), ...(header && { header }), typeface, cover })
  const focus = new URLSearchParams({ focus_x: cover_focus_x, focus_y: cover_focus_y })
  // Another cover has another proposed focus.
  const wanted = `${previewPath(event)}&${design}&${focus}#${event.cover_photo_id ?? ''}`
  const [src, setSrc] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setSrc(wanted), delayMs)
    return () => clearTimeout(timer)
  }, [wanted])
  return (
    <div className="design-preview">
      {(['desktop', 'phone'] as const).map((device) => (
        <div key={device}>
          <iframe
            key={src}
            title={t(device === 'phone' ? 'designPreviewPhone' : 'designPreview')}
            src={src}
            loading="lazy"
            tabIndex={-1}
            inert
          />
        </div>
      ))}
    </div>
  )
}
