import './design-preview.css'
import { translator } from '../../app/language.ts'
import type { Event } from '../event-context.tsx'
import { previewPath } from '../share-urls.ts'

const t = translator('events')

type Props = { event: Event; theme: string; header: string }

/** The gallery with a theme and a header that may not be saved yet. */
export function DesignPreview({ event, theme, header }: Props) {
  const design = new URLSearchParams({ ...(theme && { theme }), ...(header && { header }) })
  return (
    <div className="design-preview">
      <iframe title={t('designPreview')} src={`${previewPath(event)}&${design}`} loading="lazy" tabIndex={-1} inert />
    </div>
  )
}
