import type { MessageKey, Translate } from '../../../locales/catalogs.ts'
import type { UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { GuestUploadState, UploadReport } from './upload-entries.ts'

type TranslateGallery = Translate<MessageKey<'gallery'>>

export const reasonMessages: Record<UploadReason, MessageKey<'gallery'>> = {
  heic: 'uploadWhyHeic',
  type: 'uploadWhyType',
  empty: 'uploadWhyEmpty',
  unreadable: 'uploadWhyUnreadable',
  large: 'uploadWhyLarge',
  damaged: 'uploadWhyDamaged',
  pixels: 'uploadWhyPixels',
  full: 'uploadWhyFull',
  storage: 'uploadWhyStorage',
  off: 'uploadWhyOff',
  closed: 'uploadWhyClosed',
  other: 'uploadWhyOther',
}

export const stateMessages: Record<GuestUploadState, MessageKey<'gallery'>> = {
  waiting: 'uploadWaits',
  sending: 'uploadSends',
  finishing: 'uploadFinishes',
  added: 'uploadIsAdded',
  rejected: 'uploadIsRefused',
  failed: 'uploadIsFailed',
  cancelled: 'uploadIsCancelled',
}

export function reportMessage(
  t: TranslateGallery,
  { added, rejected, failed }: UploadReport,
  repeated: number,
): string {
  const parts = [
    added > 0 ? t('uploadAdded', { count: added }) : t('uploadAddedNone'),
    repeated > 0 && t('uploadRepeated', { count: repeated }),
    rejected > 0 && t('uploadRefused', { count: rejected }),
    failed > 0 && t('uploadFailed', { count: failed }),
  ]
  return parts.filter(Boolean).join(', ')
}

const maxNames = 5

export function formatNames(t: TranslateGallery, names: readonly string[]): string {
  const more = names.length - maxNames
  const shown = names.slice(0, maxNames).join(', ')
  return more > 0 ? `${shown} ${t('uploadMore', { count: more })}` : shown
}
