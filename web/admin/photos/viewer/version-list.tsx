import './version-list.css'
import { useQuery } from '@tanstack/react-query'
import { formatSize } from '../../../shared/format-units.ts'
import { api, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { Badge } from '../../components/page.tsx'
import { useCanChange, useEvent } from '../../events/event-context.tsx'
import { invalidatePhotos, type Photo } from '../model/photo-queries.ts'
import { reviewLabel, type ShownVersion, useReview, type Version, versionsQuery } from '../model/version-queries.ts'
import { EarlierFiles, useEarlierFile } from './earlier-files.tsx'

const t = translator('photos')

type Props = ShownVersion & { eventId: number; photo: Photo }

/** The versions of a photo, the newest first, with what guests have decided about them. */
export function VersionList({ eventId, photo, version: shown, onVersion }: Props) {
  // An archived event has no previews of earlier versions.
  const canLook = !useEvent().is_archived && photo.media_type === 'image'
  const canDelete = useCanChange('photos.delete')
  const canUpload = useCanChange('photos.upload')
  const review = useReview().get(photo.id)
  const { data: versions } = useQuery(versionsQuery(eventId, photo))
  const undo = useEarlierFile(eventId, photo, t('versionAdded', { name: photo.source_filename }))
  const remove = async ({ number, size_bytes }: Version) => {
    const text = t('deleteVersionText', { size: formatSize(size_bytes, language) })
    if (!(await confirm({ title: t('deleteVersionTitle', { number }), text, action: t('deleteVersion') }))) return
    const params = { path: { event_id: eventId, photo_id: photo.id, number } }
    await unwrap(api.DELETE('/api/admin/events/{event_id}/photos/{photo_id}/versions/{number}', { params }))
    if (number === shown?.number) onVersion(null)
    showNotice(t('versionDeleted', { number }))
    await invalidatePhotos(eventId)
  }
  if (!versions) return null
  const state = reviewLabel(review)
  return (
    <>
      {state && (
        <div>
          <dt>{t('approval')}</dt>
          <dd dir="auto">{state}</dd>
        </div>
      )}
      {versions.length > 1 && (
        <div>
          <dt>{t('versions')}</dt>
          {versions.toReversed().map((version) => (
            <dd key={version.number} className="photo-version">
              <p>
                <strong>{t('version', { number: version.number })}</strong>
                {version.is_current && <Badge>{t('currentVersion')}</Badge>}
                {version.deleted_at !== null && <Badge>{t('fileDeleted')}</Badge>}
              </p>
              <small>
                {formatTime(version.from_at)}
                {version.deleted_at === null && <> · {formatSize(version.size_bytes, language)}</>}
              </small>
              {version.note !== null && <blockquote dir="auto">{version.note}</blockquote>}
              {review?.decisions
                .filter((one) => one.version === version.number && one.content_hash === version.content_hash)
                .map(({ guest_id, guest_name, decision, decided_at }) => (
                  <p key={`${guest_id} ${decided_at}`} title={formatTime(decided_at)}>
                    <span>
                      <bdi>{guest_name ?? t('somebody')}</bdi>: {t(`decision_${decision}`)}
                    </span>
                  </p>
                ))}
              {!version.is_current && version.deleted_at === null && (
                <p>
                  {canLook && (
                    <Button
                      kind={shown?.number === version.number ? 'primary' : 'plain'}
                      icon="eye"
                      aria-pressed={shown?.number === version.number}
                      onClick={() => onVersion(shown?.number === version.number ? null : version)}
                    >
                      {t('lookAtVersion')}
                    </Button>
                  )}
                  {canUpload && (
                    <Button
                      isBusy={undo.isPending}
                      onClick={() => undo.mutate(version.filename, { onSuccess: () => onVersion(null) })}
                    >
                      {t('undoReplacement')}
                    </Button>
                  )}
                  {canDelete && (
                    <IconButton
                      icon="trash"
                      label={t('deleteVersion')}
                      onClick={() => void remove(version).catch(showError)}
                    />
                  )}
                </p>
              )}
            </dd>
          ))}
        </div>
      )}
      <EarlierFiles eventId={eventId} photo={photo} without={versions.map(({ filename }) => filename)} />
    </>
  )
}
