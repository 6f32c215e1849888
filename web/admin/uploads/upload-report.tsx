import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { showNotice } from '../components/notices.tsx'
import { AcceptTypes } from './accept-types.tsx'
import { undoReplacements } from './asked-files.ts'
import type { StoredReport } from './stored-report.ts'
import { createReport, type UploadEntry } from './upload-entries.ts'
import { formatReport, reasonLabel, repeatedLabel, reportMessage } from './upload-labels.ts'
import type { Uploads } from './upload-state.ts'
import { clearReport, retryFailed } from './uploader.ts'

const t = translator('uploads')
/** The maximum number of names shown for each reason. The copied report contains all names. */
const maxNames = 200

type Props = { state: Uploads; entries: readonly UploadEntry[]; eventId: number }

export function UploadReport({ state, entries, eventId }: Props) {
  const report = createReport(entries)
  const { name = '', repeated = [], ignoredSystemFiles = 0 } = state.events.get(eventId) ?? {}
  return (
    <ReportView
      stored={{ report, repeated, ignoredSystemFiles }}
      eventId={eventId}
      eventName={name}
      onRetry={() => retryFailed(eventId)}
      onDone={() => clearReport(eventId)}
    />
  )
}

type ReportProps = {
  stored: Omit<StoredReport, 'storedAt'>
  eventId: number
  eventName: string
  onRetry?: () => void
  onDone: () => void
}

/** The report of the uploads of this page, or of an earlier page until it is closed. */
export function ReportView({
  stored: { report, repeated, ignoredSystemFiles },
  eventId,
  eventName,
  onRetry,
  onDone,
}: ReportProps) {
  const hasPermission = useHasPermission()
  const [ended, setEnded] = useState<readonly number[]>([])
  const replaced = report.replaced?.filter(({ id }) => !ended.includes(id)) ?? []
  const undo = useMutation({
    mutationFn: () => undoReplacements(eventId, replaced),
    onSuccess: (outcome) => {
      setEnded([...ended, ...outcome.ended])
      const isComplete = outcome.undone === replaced.length
      showNotice(t(isComplete ? 'undone' : 'undoneInPart', { count: outcome.undone, total: replaced.length }), {
        isAlarm: !isComplete,
      })
    },
  })
  return (
    <div className="upload-report">
      <div className="upload-head">
        <div>
          <p className="upload-sum" role="status">
            {reportMessage(report, repeated.length)}
          </p>
          {ignoredSystemFiles > 0 && <p className="quiet-text">{t('passedOver', { count: ignoredSystemFiles })}</p>}
        </div>
        <Buttons>
          {onRetry && report.retryable > 0 && (
            <Button kind="primary" icon="refresh" onClick={onRetry}>
              {t('retryFailed', { count: report.retryable })}
            </Button>
          )}
          {replaced.length > 0 && (
            <Button icon="refresh" isBusy={undo.isPending} onClick={() => undo.mutate()}>
              {t(report.keepsVersions ? 'undoVersions' : 'undoReplaced', { count: replaced.length })}
            </Button>
          )}
          {report.groups.length + repeated.length > 0 && (
            <CopyButton text={formatReport(report, repeated, eventName)} label={t('copyReport')} />
          )}
          <Button onClick={onDone}>{t('done')}</Button>
        </Buttons>
      </div>
      {report.groups.map(({ reason, why, isLeftOut, paths }) => (
        <details key={`${isLeftOut} ${reason} ${why}`} className="upload-reason" open={paths.length <= 5}>
          <summary>
            <strong>{t(isLeftOut ? 'leftOut' : 'failed', { count: paths.length })}</strong>{' '}
            {reasonLabel(reason, why, isLeftOut)}
          </summary>
          {isLeftOut &&
            (reason === 'heic' || reason === 'raw' || reason === 'video') &&
            hasPermission('settings.edit') && <AcceptTypes eventId={eventId} reason={reason} paths={paths} />}
          <Names names={paths} />
        </details>
      ))}
      {repeated.length > 0 && (
        <details className="upload-reason" open={repeated.length <= 5}>
          <summary>
            <strong>{t('repeated', { count: repeated.length })}</strong> {t('repeatedFiles')}
          </summary>
          <Names names={repeated.map(repeatedLabel)} />
        </details>
      )}
    </div>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul>
      {[...new Set(names)].slice(0, maxNames).map((name) => (
        <li key={name} dir="auto">
          {name}
        </li>
      ))}
      {names.length > maxNames && <li>{t('moreNames', { count: names.length - maxNames })}</li>}
    </ul>
  )
}
