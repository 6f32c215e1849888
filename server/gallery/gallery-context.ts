import { LRUCache } from 'lru-cache'
import { createGalleryAccessContext, type GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import { createMeasureCover, type MeasureCover } from '../photos/cover-photos.ts'
import { ListCache } from '../photos/lists/list-cache.ts'
import type { Renditions } from '../photos/renditions/renditions.ts'
import type { UploadsContext } from '../receiving/chunked/upload-gate.ts'
import { createGalleryCounts, type GalleryCounts } from './gallery-counts.ts'

export type CachedThumbnail = { body: Buffer; etag: string; headers: string[] }

/** The same outline as JSON, and compressed. */
export type SerializedOutline = { json: Buffer; gzip: Buffer }

type PhotoCounts = { byCategory: Map<number, number>; videos: number }

export type GalleryContext = UploadsContext &
  GalleryAccessContext & {
    /** Keyed by file name. The content of a file name never changes, so entries never become stale. */
    thumbnailCache: LRUCache<string, CachedThumbnail>
    outlines: ListCache<SerializedOutline>
    /** Photos by category id, and videos, for guests and for operators. */
    photoCounts: ListCache<PhotoCounts>
    counts: GalleryCounts
    renditions: Renditions
    measureCover: MeasureCover
  }

const maxThumbnailBytes = 32 * 2 ** 20
const maxOutlineBytes = 32 * 2 ** 20

export const createGalleryContext = (ctx: UploadsContext, renditions: Renditions): GalleryContext => ({
  ...ctx,
  ...createGalleryAccessContext(ctx),
  renditions,
  measureCover: createMeasureCover(ctx),
  thumbnailCache: new LRUCache({ maxSize: maxThumbnailBytes, sizeCalculation: ({ body }) => body.length + 2_000 }),
  outlines: new ListCache({ maxBytes: maxOutlineBytes, sizeOf: ({ json, gzip }) => json.length + gzip.length }),
  photoCounts: new ListCache({ maxBytes: 2 ** 20, sizeOf: ({ byCategory }) => 64 * (2 + byCategory.size) }),
  counts: createGalleryCounts(ctx),
})
