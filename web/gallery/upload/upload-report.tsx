import { page, t } from '../state/page.ts'
import { formatNames, reasonMessages, reportMessage } from './upload-labels.ts'
import { repeated, report, retryFailed } from './uploader.ts'

export function UploadReport() {
  const { added, hidden, failed, groups } = report.value
  return (
    <section class="bring-report" aria-label={t('uploadReport')}>
      <p class="bring-sum" role="status">
        {reportMessage(t, report.value, repeated.value)}
      </p>
      {added > 0 && <p class="bring-quiet">{locationMessage(hidden)}</p>}
      {groups.length > 0 && (
        <dl class="bring-reasons">
          {groups.map(({ reason, names }) => (
            <div key={reason}>
              <dt>{t(reasonMessages[reason])}</dt>
              <dd dir="auto">{formatNames(t, names)}</dd>
            </div>
          ))}
        </dl>
      )}
      {failed > 0 && (
        <button type="button" class="button primary" data-next onClick={retryFailed}>
          {t('uploadRetry', { count: failed })}
        </button>
      )}
    </section>
  )
}

export function locationMessage(hidden: number): string {
  if (hidden > 0) return t('uploadHidden')
  return t(page.event.hidden_until_reveal ? 'uploadRevealed' : 'uploadShown')
}
