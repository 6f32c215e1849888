import { page, say } from '../state/page.ts'
import { namesWords, reasonTexts, reportWords } from './upload-words.ts'
import { repeated, report, retryFailed } from './uploader.ts'

export function UploadReport() {
  const { added, hidden, failed, groups } = report.value
  return (
    <section class="bring-report" aria-label={say('uploadReport')}>
      <p class="bring-sum" role="status">
        {reportWords(say, report.value, repeated.value)}
      </p>
      {added > 0 && <p class="bring-quiet">{whereWords(hidden)}</p>}
      {groups.length > 0 && (
        <dl class="bring-reasons">
          {groups.map(({ reason, names }) => (
            <div key={reason}>
              <dt>{say(reasonTexts[reason])}</dt>
              <dd dir="auto">{namesWords(say, names)}</dd>
            </div>
          ))}
        </dl>
      )}
      {failed > 0 && (
        <button type="button" class="button primary" data-next onClick={retryFailed}>
          {say('uploadRetry', { count: failed })}
        </button>
      )}
    </section>
  )
}

export function whereWords(hidden: number): string {
  if (hidden > 0) return say('uploadHidden')
  return say(page.event.hidden_until_reveal ? 'uploadRevealed' : 'uploadShown')
}
