import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { formatSize } from '../../shared/format-units.ts'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { language, translator } from '../app/language.ts'
import { IconButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Progress } from '../components/progress.tsx'
import { sortForDisplay, type UploadEntry } from './upload-entries.ts'
import { reasonLabel, stateLabel } from './upload-labels.ts'
import { cancelEntry } from './uploader.ts'

const t = translator('uploads')
const rowHeightPx = 48

export function UploadRows({ entries }: { entries: readonly UploadEntry[] }) {
  const frame = useRef<HTMLElement>(null)
  const rows = sortForDisplay(entries)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeightPx,
    overscan: 6,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={frame} className="upload-rows" aria-label={t('files')} tabIndex={0}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const entry = rows[index]
          return (
            entry && (
              <li
                key={entry.id}
                className="upload-row"
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row entry={entry} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

function Row({ entry }: { entry: UploadEntry }) {
  const { name, path, size, sentBytes, state, reason, why } = entry
  const isMoving = state === 'sending' || state === 'finishing'
  const isWrong = state === 'failed' || state === 'rejected'
  return (
    <>
      <span className="upload-name" title={path} dir="auto">
        {name}
      </span>
      <span className="upload-size">{formatSize(size, language)}</span>
      <span className={`upload-state${isWrong ? ' wrong' : ''}`}>
        {state === 'added' && <Icon name="check" />}
        {isWrong && <Icon name="warning" />}
        {stateLabel(entry)}
      </span>
      {isActive(entry) ? (
        <IconButton
          icon="close"
          label={t('cancelFile', { name })}
          disabled={state === 'finishing'}
          onClick={() => cancelEntry(entry)}
        />
      ) : (
        <span />
      )}
      {isMoving && <Progress label={name} done={sentBytes} total={size} />}
      {reason && <span className="upload-why">{reasonLabel(reason, why, state === 'leftOut')}</span>}
    </>
  )
}
