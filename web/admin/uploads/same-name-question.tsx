import { formatSize } from '../../shared/format-units.ts'
import { language, translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { type AskedFile, decide, findAsked } from './same-names.ts'
import type { UploadEntry } from './upload-entries.ts'

const t = translator('uploads')
/** The maximum number of files shown in the list. */
const maxShown = 200

/** Asks once for all files that have the name of a photo, and once for those with another extension. */
export function SameNameQuestions({ eventId, entries }: { eventId: number; entries: readonly UploadEntry[] }) {
  // While contents are compared, more files may turn out to have the name of a photo.
  if (entries.some(({ state }) => state === 'waiting' || state === 'checking')) return null
  const asked = findAsked(entries)
  const exact = asked.filter(({ isExact }) => isExact)
  const similar = asked.filter(({ isExact }) => !isExact)
  return (
    <>
      {exact.length > 0 && <Question eventId={eventId} files={exact} isExact />}
      {similar.length > 0 && <Question eventId={eventId} files={similar} isExact={false} />}
    </>
  )
}

function Question({ eventId, files, isExact }: { eventId: number; files: AskedFile[]; isExact: boolean }) {
  return (
    <div className="upload-offer" role="alert">
      <div>
        <p className="upload-sum">{t(isExact ? 'sameName' : 'similarName', { count: files.length })}</p>
        <p className="quiet-text">{t('sameNameHelp')}</p>
      </div>
      <Buttons>
        <Button icon="refresh" onClick={() => decide(files, 'replace')}>
          {t('replaceAll')}
        </Button>
        <Button kind={isExact ? 'plain' : 'primary'} onClick={() => decide(files, 'add')}>
          {t('addAll')}
        </Button>
        <Button kind="quiet" onClick={() => decide(files, 'skip')}>
          {t('skipAll')}
        </Button>
      </Buttons>
      <details className="upload-reason">
        <summary>{t('showFiles', { count: files.length })}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <ul className="same-names" tabIndex={0}>
          {files.slice(0, maxShown).map(({ entry, photoId }) => (
            <li key={entry.id}>
              <img src={`/api/admin/photos/${eventId}/thumbnail/${photoId}`} alt="" loading="lazy" />
              <span dir="auto">
                {entry.path} <span className="quiet-text">{formatSize(entry.size, language)}</span>
              </span>
            </li>
          ))}
          {files.length > maxShown && <li>{t('moreNames', { count: files.length - maxShown })}</li>}
        </ul>
      </details>
    </div>
  )
}
