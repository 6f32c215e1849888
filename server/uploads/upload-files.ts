import { eventPrefix } from '../events/event-rules.ts'
import type { UploadRow } from './upload-rows.ts'

/** Under which the storage keeps the chunks; they go with the files of the event. */
export const partedKey = ({ event_id, id }: Pick<UploadRow, 'event_id' | 'id'>): string =>
  `${eventPrefix(event_id)}/${id}`

/** The upload whose chunks a key names. */
export const uploadIdOf = (key: string): string => key.split('/').at(-1) ?? ''
