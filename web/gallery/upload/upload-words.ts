import type { GalleryTextKey } from '../../../texts/gallery-texts.ts'
import type { UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { UploadReport, UploadState } from './upload-entries.ts'

type Say = (key: GalleryTextKey, values?: Record<string, string | number>) => string

export const reasonTexts: Record<UploadReason, GalleryTextKey> = {
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

export const stateTexts: Record<UploadState, GalleryTextKey> = {
  waiting: 'uploadWaits',
  sending: 'uploadSends',
  finishing: 'uploadFinishes',
  added: 'uploadIsAdded',
  refused: 'uploadIsRefused',
  failed: 'uploadIsFailed',
  cancelled: 'uploadIsCancelled',
}

export function reportWords(say: Say, { added, refused, failed }: UploadReport, repeated: number): string {
  const parts = [
    added > 0 ? say('uploadAdded', { count: added }) : say('uploadAddedNone'),
    repeated > 0 && say('uploadRepeated', { count: repeated }),
    refused > 0 && say('uploadRefused', { count: refused }),
    failed > 0 && say('uploadFailed', { count: failed }),
  ]
  return parts.filter(Boolean).join(', ')
}

const maxNames = 5

export function namesWords(say: Say, names: readonly string[]): string {
  const more = names.length - maxNames
  const shown = names.slice(0, maxNames).join(', ')
  return more > 0 ? `${shown} ${say('uploadMore', { count: more })}` : shown
}
