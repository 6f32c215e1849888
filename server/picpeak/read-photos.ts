import { type PhotoType, photoTypes } from '../../contract/photos.ts'
import type { PhotoTable } from '../photos/photo-rows.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AddDifference } from './move-report.ts'
import type { SourceEvent } from './read-event.ts'
import { repairName, type SourceRow, toLine, toText, toTime, toWhole } from './source/source-values.ts'

/** Ids are those of the source. */
export type SourcePhoto = {
  id: number
  /** Where the original may be, in the folder of the source. */
  paths: string[]
  /** Where it may be in the folder of external media; empty for a photo that PicPeak stores itself. */
  externalPaths: string[]
  /** Its names in the ZIP of an archived event. */
  zipNames: string[]
  /** The name that the camera or the uploader gave it. */
  name: string
  family: 'image' | 'video'
  type: PhotoType | null
  categoryId: number | null
  visibility: PhotoTable['visibility']
  uploadedBy: PhotoTable['uploaded_by']
  uploadedAt: number
  capturedAt: number | null
}

/** Returns null for a row that names no file. */
export function readPhoto(row: SourceRow, event: SourceEvent, add: AddDifference): SourcePhoto | null {
  const id = toWhole(row.id)
  const storedName = toLine(row.filename)
  if (id === null || id === 0 || storedName === null) {
    add('photos', row.id, t('photoIncomplete'))
    return null
  }
  const path = toText(row.path)
  const uploader = toLine(row.uploaded_by)
  return {
    id,
    paths: [
      ...(path ? [`events/active/${path}`, path] : []),
      `events/active/${event.folder}/${storedName}`,
      `events/archived/${event.folder}/${storedName}`,
    ],
    externalPaths: readExternalPaths(row, event),
    // The ZIP is made of the folder of the event, which has subfolders in some versions.
    zipNames: [storedName, ...(path ? [path.split('/').slice(1).join('/')] : [])],
    name: repairName(toLine(row.original_filename) ?? storedName),
    family: toLine(row.media_type) === 'video' ? 'video' : 'image',
    type: photoTypes.find((type) => type === toLine(row.type)) ?? null,
    categoryId: toWhole(row.category_id),
    visibility: toLine(row.visibility) === 'hidden' ? 'hidden' : 'visible',
    uploadedBy: uploader === null || uploader === 'admin' ? 'admin' : uploader === 'api' ? 'api' : 'guest',
    uploadedAt: toTime(row.uploaded_at) ?? event.columns.created_at,
    capturedAt: toTime(row.captured_at),
  }
}

/** Earlier versions stored the path below the folder of the event, later ones that below the folder of all media. */
function readExternalPaths(row: SourceRow, { externalFolder }: SourceEvent): string[] {
  const path = toText(row.external_relpath)
  if (!path || toLine(row.source_origin) === 'managed') return []
  return externalFolder === null ? [path] : [path, `${externalFolder}/${path}`]
}
