import { computed, type Signal } from '@preact/signals'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'
import type { UploadEntry } from './upload-entries.ts'
import { reasonMessages, stateMessages } from './upload-labels.ts'
import { cancelEntry, entries, isInProgress } from './uploader.ts'

const maxRows = 40

/**
 * Files that were not canceled. If there are more than `maxRows`, only the first `maxRows` that wait or are being sent.
 */
const shown = computed(() => {
  const all = entries.value.filter((entry) => entry.value.state !== 'cancelled')
  if (all.length <= maxRows) return all
  return all.filter((entry) => ['waiting', 'sending', 'finishing'].includes(entry.value.state)).slice(0, maxRows)
})

export function UploadRows() {
  if (!isInProgress.value) return null
  return (
    <ul class="bring-files" aria-label={t('uploadFiles')}>
      {shown.value.map((entry) => (
        <Row key={entry.peek().id} entry={entry} />
      ))}
    </ul>
  )
}

function Row({ entry }: { entry: Signal<UploadEntry> }) {
  const { name, size, sentBytes, state, reason } = entry.value
  const isMoving = state === 'sending' || state === 'finishing'
  return (
    <li class="bring-file" data-state={state}>
      <bdi class="bring-name">{name}</bdi>
      <span class="bring-state">
        {state === 'sending' && size > 0 ? `${Math.floor((sentBytes / size) * 100)} %` : t(stateMessages[state])}
      </span>
      {state === 'added' && <Icon name="check" />}
      {(isMoving || state === 'waiting') && (
        <button
          type="button"
          class="round"
          disabled={state === 'finishing'}
          aria-label={t('uploadCancelFile', { name })}
          onClick={() => cancelEntry(entry)}
        >
          <Icon name="close" />
        </button>
      )}
      {isMoving && <progress value={sentBytes} max={size} aria-label={name} />}
      {reason && <span class="bring-why">{t(reasonMessages[reason])}</span>}
    </li>
  )
}
