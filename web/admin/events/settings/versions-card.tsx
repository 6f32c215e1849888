import { useQuery } from '@tanstack/react-query'
import { formatSize } from '../../../shared/format-units.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatPhotos } from '../../components/format-photos.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { type Event, useCanChange } from '../event-context.tsx'
import { Section } from './section.tsx'

const t = translator('events')

type Totals = Schemas['VersionTotals']

/** Returns null if the event has no earlier versions of photos, or keeps none. */
export function useVersionTotals({ id, keep_versions }: Event): Totals | null {
  const { data } = useQuery({
    queryKey: ['photos', id, 'versionTotals'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/events/{event_id}/versions', { params: { path: { event_id: id } }, signal })),
    enabled: keep_versions,
  })
  return keep_versions && data && data.count > 0 ? data : null
}

export function VersionsCard({ event, totals }: { event: Event; totals: Totals }) {
  const { count } = totals
  const size = formatSize(totals.size_bytes, language)
  const canDelete = useCanChange('photos.delete')
  const remove = async () => {
    const text = t('deleteVersionsText', { count, size })
    if (!(await confirm({ title: t('deleteVersionsTitle'), text, action: t('deleteVersions') }))) return
    const params = { path: { event_id: event.id } }
    const { deleted } = await unwrap(api.DELETE('/api/admin/events/{event_id}/versions', { params }))
    showNotice(t('versionsDeleted', { count: deleted }))
    await queries.invalidateQueries({ queryKey: ['photos', event.id] })
  }
  return (
    <Section id="versions">
      <p>
        {t('sizeOfPhotos', { photos: formatPhotos(event), size: formatSize(event.total_size, language) })}{' '}
        {t('sizeOfVersions', { count, size })}
      </p>
      {canDelete && (
        <div>
          <Button icon="trash" onClick={() => void remove().catch(showError)}>
            {t('deleteVersions')}
          </Button>
        </div>
      )}
    </Section>
  )
}
