import type { AdminTextKey } from '../../../texts/admin-texts.ts'
import { durationWords, sizeWords } from '../../shared/size-words.ts'
import { secondsLeft } from '../../shared/uploads/upload-speed.ts'
import { language, sayIn } from '../desk/language.ts'
import type { UploadEntry, UploadReport, UploadState, UploadTotals } from './upload-entries.ts'
import type { Uploads } from './upload-state.ts'

const say = sayIn('uploads')

type Reason = NonNullable<UploadEntry['reason']>

const reasonTexts: Record<Reason, AdminTextKey<'uploads'>> = {
  heic: 'whyHeic',
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

const stateTexts: Record<UploadState, AdminTextKey<'uploads'>> = {
  waiting: 'waits',
  checking: 'isChecked',
  ready: 'waits',
  sending: 'isSent',
  finishing: 'isFinished',
  added: 'isNew',
  known: 'isKnown',
  leftOut: 'isLeftOut',
  refused: 'isFailed',
  failed: 'isFailed',
  cancelled: 'isCancelled',
}

/** If the server rejects the type, the content does not match the extension, which needs another message. */
export const reasonWords = (reason: Reason, why: string | null, isLeftOut: boolean): string =>
  why ?? say(reason === 'type' && !isLeftOut ? 'whyContent' : reasonTexts[reason])

export const stateWords = ({ state, sentBytes, size }: UploadEntry): string =>
  state === 'sending' && sentBytes > 0 ? `${Math.floor((100 * sentBytes) / size)} %` : say(stateTexts[state])

export function reportWords({ added, known, failed, leftOut, cancelled }: UploadReport, repeated: number): string {
  const parts = [
    say('new', { count: added }),
    known > 0 && say('known', { count: known }),
    failed > 0 && say('failed', { count: failed }),
    leftOut > 0 && say('leftOut', { count: leftOut }),
    repeated > 0 && say('repeated', { count: repeated }),
    cancelled > 0 && say('cancelled', { count: cancelled }),
  ]
  return parts.filter(Boolean).join(', ')
}

export function reportText(report: UploadReport, repeated: number, eventName: string): string {
  const groups = report.groups.map(
    ({ reason, why, isLeftOut, paths }) =>
      `\n${reasonWords(reason, why, isLeftOut)}\n${paths.map((path) => `  ${path}\n`).join('')}`,
  )
  return `${eventName}: ${reportWords(report, repeated)}\n${groups.join('')}`
}

export function paceWords({ isPaused, trouble, bytesPerSecond }: Uploads, { bytes, sentBytes }: UploadTotals): string {
  const amount = say('bytes', { sent: sizeWords(sentBytes, language), total: sizeWords(bytes, language) })
  if (isPaused) return `${amount} · ${say('paused')}`
  if (trouble) return `${amount} · ${say(trouble === 'line' ? 'waitsForLine' : 'waitsForService')}`
  if (bytes > 0 && sentBytes === bytes) return `${amount} · ${say('finishes')}`
  const left = secondsLeft(bytes - sentBytes, bytesPerSecond)
  if (bytesPerSecond === null || left === null) return amount
  const speed = say('speed', { size: sizeWords(bytesPerSecond, language) })
  return [amount, speed, left >= 1 && say('left', { time: durationWords(left, language) })].filter(Boolean).join(' · ')
}
