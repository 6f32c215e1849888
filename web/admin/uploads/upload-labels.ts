import type { AdminMessageKey } from '../../../locales/catalogs.ts'
import { formatDuration, formatSize } from '../../shared/format-units.ts'
import type { UploadState, UploadTotals } from '../../shared/uploads/upload-entries.ts'
import type { ChosenFile } from '../../shared/uploads/upload-file-rules.ts'
import { secondsLeft } from '../../shared/uploads/upload-speed.ts'
import { language, translator } from '../app/language.ts'
import { type AcceptedTypes, findLeftOutReason, getMaxBytes } from './accepted-types.ts'
import type { RepeatedFile, UploadEntry, UploadReport } from './upload-entries.ts'
import type { Uploads } from './upload-state.ts'

const t = translator('uploads')

type Reason = NonNullable<UploadEntry['reason']>

const reasonMessages: Record<Reason, AdminMessageKey<'uploads'>> = {
  heic: 'whyHeic',
  raw: 'whyRaw',
  sidecar: 'whySidecar',
  skipped: 'whySkipped',
  undone: 'whyUndone',
  type: 'whyType',
  video: 'whyVideo',
  empty: 'whyEmpty',
  unreadable: 'whyUnreadable',
  large: 'whyLarge',
  damaged: 'whyDamaged',
  pixels: 'whyPixels',
  full: 'whyFull',
  storage: 'whyStorage',
  off: 'whyClosed',
  closed: 'whyClosed',
  other: 'whyOther',
}

const stateMessages: Record<UploadState, AdminMessageKey<'uploads'>> = {
  waiting: 'waits',
  checking: 'isChecked',
  asked: 'isAsked',
  ready: 'waits',
  sending: 'isSent',
  finishing: 'isFinished',
  added: 'isNew',
  known: 'isKnown',
  leftOut: 'isLeftOut',
  rejected: 'isFailed',
  failed: 'isFailed',
  cancelled: 'isCancelled',
}

/** Returns why a file is not sent, with the limit of its size if it is too large; null if it can be sent. */
export function findLeftOut(file: ChosenFile, acceptedTypes: AcceptedTypes | null) {
  const reason = findLeftOutReason(file, acceptedTypes)
  if (reason !== 'large' || !acceptedTypes) return reason && { reason, why: null }
  return { reason, why: t('whyLargeLimit', { limit: getMaxBytes(file.name, acceptedTypes) / 2 ** 20 }) }
}

/**
 * Files whose extension is not accepted are left out before they are sent. So if the service rejects the type of a
 * file, the content does not match the extension, which has another message.
 */
export const reasonLabel = (reason: Reason, why: string | null, isLeftOut: boolean): string =>
  why ?? t(reason === 'type' && !isLeftOut ? 'whyContent' : reasonMessages[reason])

export function stateLabel({ state, sentBytes, size, replaces, keepsVersions }: UploadEntry): string {
  if (state === 'sending' && sentBytes > 0) return `${Math.floor((100 * sentBytes) / size)} %`
  const replacedMessage = keepsVersions ? 'isNewVersion' : 'isReplaced'
  return t(state === 'added' && replaces !== null ? replacedMessage : stateMessages[state])
}

export function reportMessage(
  { added, replaced = [], keepsVersions, known, failed, leftOut, cancelled }: UploadReport,
  repeated: number,
): string {
  const others = replaced.length + known + failed + leftOut + repeated + cancelled
  const parts = [
    (added > 0 || others === 0) && t('new', { count: added }),
    replaced.length > 0 && t(keepsVersions ? 'newVersions' : 'replaced', { count: replaced.length }),
    known > 0 && t('known', { count: known }),
    failed > 0 && t('failed', { count: failed }),
    leftOut > 0 && t('leftOut', { count: leftOut }),
    repeated > 0 && t('repeated', { count: repeated }),
    cancelled > 0 && t('cancelled', { count: cancelled }),
  ]
  return parts.filter(Boolean).join(', ')
}

export const repeatedLabel = ({ path, sameAs }: RepeatedFile): string =>
  sameAs === null ? path : t('sameContent', { path, sameAs })

export function formatReport(report: UploadReport, repeated: readonly RepeatedFile[], eventName: string): string {
  const groups = report.groups.map(
    ({ reason, why, isLeftOut, paths }) =>
      `\n${reasonLabel(reason, why, isLeftOut)}\n${paths.map((path) => `  ${path}\n`).join('')}`,
  )
  const twice =
    repeated.length > 0 && `\n${t('repeatedFiles')}\n${repeated.map((file) => `  ${repeatedLabel(file)}\n`).join('')}`
  return `${eventName}: ${reportMessage(report, repeated.length)}\n${groups.join('')}${twice || ''}`
}

export function formatPace({ isPaused, trouble, bytesPerSecond }: Uploads, { bytes, sentBytes }: UploadTotals): string {
  const amount = t('bytes', { sent: formatSize(sentBytes, language), total: formatSize(bytes, language) })
  if (isPaused) return `${amount} · ${t('paused')}`
  if (trouble) return `${amount} · ${t(trouble === 'line' ? 'waitsForLine' : 'waitsForService')}`
  if (bytes > 0 && sentBytes === bytes) return `${amount} · ${t('finishes')}`
  const left = secondsLeft(bytes - sentBytes, bytesPerSecond)
  if (bytesPerSecond === null || left === null) return amount
  const speed = t('speed', { size: formatSize(bytesPerSecond, language) })
  return [amount, speed, left >= 1 && t('left', { time: formatDuration(left, language) })].filter(Boolean).join(' · ')
}
