import { useEffect, useState } from 'react'
import type { SameNameKind } from '../../../contract/files/find-replaceable.ts'
import { formatSize } from '../../shared/format-units.ts'
import { language, translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { useEvent } from '../events/event-context.tsx'
import { type AskedFile, decide, findAsked } from './asked-files.ts'
import type { UploadEntry } from './upload-entries.ts'

const t = translator('uploads')
/** The maximum number of files shown in the list. */
const maxShown = 200
const kinds: SameNameKind[] = ['sameName', 'similarName', 'otherTime', 'severalNames', 'earlier']

/** Asks once for all files of each kind. */
export function SameNameQuestions({ eventId, entries }: { eventId: number; entries: readonly UploadEntry[] }) {
  // While contents are compared, more files may turn out to have the name of a photo.
  if (entries.some(({ state }) => state === 'waiting' || state === 'checking')) return null
  const asked = Map.groupBy(findAsked(entries), ({ kind }) => kind)
  return kinds.map((kind) => {
    const files = asked.get(kind)
    return files && <Question key={kind} eventId={eventId} kind={kind} files={files} />
  })
}

type QuestionProps = { eventId: number; kind: SameNameKind; files: AskedFile[] }

function Question({ eventId, kind, files }: QuestionProps) {
  const [isOpen, setOpen] = useState(false)
  const { keep_versions: keepsVersions } = useEvent()
  const canReplace = kind !== 'severalNames'
  const replace = canReplace && (
    <Button icon="refresh" onClick={() => decide(files, 'replace')}>
      {keepsVersions ? t('addVersions', { count: files.length }) : t('replaceAll')}
    </Button>
  )
  return (
    <div className="upload-offer" role="alert">
      <div>
        <p className="upload-sum">
          {t(keepsVersions && kind === 'earlier' ? 'earlierVersion' : kind, { count: files.length })}
        </p>
        {canReplace && <p className="quiet-text">{t(keepsVersions ? 'addVersionsHelp' : 'sameNameHelp')}</p>}
      </div>
      <Buttons>
        {kind === 'sameName' && replace}
        {kind !== 'earlier' && (
          <Button kind={kind === 'sameName' ? 'plain' : 'primary'} onClick={() => decide(files, 'add')}>
            {t('addAll')}
          </Button>
        )}
        {kind !== 'sameName' && replace}
        <Button kind={kind === 'earlier' ? 'plain' : 'quiet'} onClick={() => decide(files, 'skip')}>
          {t('skipAll')}
        </Button>
      </Buttons>
      <details className="upload-reason" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('showFiles', { count: files.length })}</summary>
        {canReplace && <p className="quiet-text">{t('pictureOrder')}</p>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <ul className="same-names" tabIndex={0}>
          {(isOpen ? files.slice(0, maxShown) : []).map(({ entry, file, photoId }) => (
            <li key={entry.id}>
              {photoId !== null && (
                <img src={`/api/admin/photos/${eventId}/thumbnail/${photoId}`} alt="" loading="lazy" />
              )}
              <FilePicture file={file} />
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

/** The picture of a file, or an empty place where the browser cannot show it. */
function FilePicture({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  if (url === null) return <span className="no-picture" />
  return <img src={url} alt="" loading="lazy" decoding="async" onError={() => setUrl(null)} />
}
