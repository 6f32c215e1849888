import { expect, test } from 'vitest'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import type { PhotoOrder } from '../photo-orders.ts'
import { listPhotos } from './list-photos.ts'

const { db, sqlite } = await memoryDatabase()
const ctx = { db } as PlatformContext
const photoCount = 420

type Row = {
  id: number
  uploaded_at: number
  captured_at: number | null
  name_sort: string
  size_bytes: number
  manual_position: number | null
}

// Many values are equal, a seventh has no capture time, a third has no place by hand, and a fifth is hidden.
sqlite.exec(`
  with recursive number(id) as (select 1 union all select id + 1 from number where id < ${photoCount})
  insert into photos (id, event_id, filename, original_filename, source_filename, media_type, mime_type, size_bytes,
    content_hash, crc32, auto_categorized, visibility, processing_status, uploaded_by, uploaded_at, updated_at,
    captured_at, name_sort, manual_position, search_text)
  select id, 1, 'stored ' || id, '', '', 'image', 'image/jpeg', id * 7919 % 90, id, 0, 0,
    case when id % 5 = 0 then 'hidden' else 'visible' end, 'ready', 'admin', id * 31 % 100, 1,
    case when id % 7 = 0 then null else id * 17 % 80 end, 'img_' || (id * 13 % 60),
    case when id % 3 = 0 then null else id * 11 % 50 - 25 end, '' from number;
  insert into event_photo_totals (event_id, photo_count, visible_count, total_size)
  select 1, count(*), sum(visibility = 'visible'), 0 from photos`)

const columns = {
  upload_date: ['uploaded_at', 'id'],
  capture_date: ['captured_at', 'name_sort', 'id'],
  filename: ['name_sort', 'id'],
  size: ['size_bytes', 'id'],
  manual: ['manual_position', 'uploaded_at', 'id'],
} as const
const cases = (['upload_date', 'capture_date', 'filename', 'size', 'manual'] as const).flatMap((by) =>
  (['asc', 'desc'] as const).flatMap((direction) =>
    [true, false].map((onlyVisible) => ({ by, direction, onlyVisible })),
  ),
)

function expectedIds(by: keyof typeof columns, direction: 'asc' | 'desc', onlyVisible: boolean): number[] {
  const rows = sqlite
    .prepare(`select * from photos ${onlyVisible ? "where visibility = 'visible'" : ''}`)
    .all() as Row[]
  const sign = direction === 'asc' ? 1 : -1
  const compare = (one: Row, other: Row): number => {
    for (const column of columns[by]) {
      const [a, b] = [one[column], other[column]]
      if (a === b) continue
      return a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a < b ? -1 : 1)
    }
    return 0
  }
  return rows.sort(compare).map(({ id }) => id)
}

test.each(cases)(
  'the pages of a list, joined, are the whole list by $by $direction, only visible: $onlyVisible',
  async (one) => {
    const { by, direction, onlyVisible } = one
    const expected = expectedIds(by, direction, onlyVisible)
    const order: PhotoOrder = { by, direction }
    const ids: number[] = []
    for (let page = 1; page <= Math.ceil(expected.length / 50); page++) {
      const { photos, ...counts } = await listPhotos(ctx, 1, { page, limit: 50, filter: { onlyVisible }, order })
      expect(counts).toEqual({ total: expected.length, filtered: expected.length })
      ids.push(...photos.map(({ id }) => id))
    }
    expect(ids).toEqual(expected)
  },
)
