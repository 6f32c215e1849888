import './upload-status.css'
import { Link } from '@tanstack/react-router'
import { computeTotals, isActive } from '../../shared/uploads/upload-entries.ts'
import { translator } from '../app/language.ts'
import { Icon } from '../components/icon.tsx'
import { Progress } from '../components/progress.tsx'
import { useUploads } from './upload-state.ts'

const t = translator('uploads')

export function UploadStatus({ isShort = false }: { isShort?: boolean }) {
  const { entries, isPaused, trouble } = useUploads()
  const active = entries.filter(isActive)
  const moving = active[0]
  const isAsked = active.every(({ state }) => state === 'asked')
  const failed = entries.filter(({ state }) => state === 'failed' || state === 'rejected')
  const eventId = (moving ?? failed[0])?.eventId
  if (eventId === undefined) return null
  const { files, done, bytes, sentBytes } = computeTotals(entries)
  const text = isShort ? 'statusShort' : isPaused ? 'statusPaused' : trouble ? 'statusWaits' : 'status'
  const words = !moving
    ? t('failed', { count: failed.length })
    : isAsked && !isShort
      ? t('isAsked')
      : t(text, { done, total: files })
  return (
    <Link
      to="/events/$eventId"
      params={{ eventId: String(eventId) }}
      className={`upload-status${moving ? '' : ' alarm'}`}
    >
      <Icon name={moving ? (isPaused ? 'pause' : 'upload') : 'warning'} />
      <span>{words}</span>
      {moving && <Progress label={t('progress')} done={sentBytes} total={bytes} />}
    </Link>
  )
}
