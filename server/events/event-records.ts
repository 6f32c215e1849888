import { mapSwitches } from '../../contract/event-features.ts'
import type { EventListItem, EventRecord } from '../../contract/events.ts'
import { sharePath } from '../../contract/share-path.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import type { EventRow } from './event-rows.ts'
import { expiryTime, isExpired } from './event-rules.ts'

export type EventTotals = { photo_count: number; video_count: number; total_size: number }

/** Does not contain the password or its hash. `origin` is the base of share_url. */
export function eventRecord(
  row: EventRow,
  totals: EventTotals & { cover_photo_id: number | null },
  origin: string,
  now: number,
): EventRecord {
  const switches = mapSwitches((key) => row[key] === 1)
  return {
    ...eventListItem(row, totals.photo_count, origin, now),
    video_count: totals.video_count,
    share_token: row.share_token,
    share_link: sharePath(row),
    customer_email: row.customer_email,
    customer_phone: row.customer_phone,
    admin_email: row.admin_email,
    welcome_message: row.welcome_message,
    require_password: row.require_password === 1,
    photo_cap: row.photo_cap,
    theme_preset: row.theme_preset,
    color_theme: row.theme_preset,
    header_style: row.header_style,
    typeface: row.typeface,
    cover_layout: row.cover_layout,
    archived_at: isoTimeOrNull(row.archived_at),
    allow_user_uploads: row.allow_user_uploads === 1,
    upload_category_id: row.upload_category_id,
    default_photo_sort: row.default_photo_sort,
    cover_photo_id: totals.cover_photo_id,
    cover_focus_x: row.cover_focus_x,
    cover_focus_y: row.cover_focus_y,
    watermark_text: row.watermark_text,
    download_max_px: row.download_max_px,
    reveal_at: isoTimeOrNull(row.reveal_at),
    guest_session_days: row.guest_session_days,
    language: row.language,
    has_first_look: row.has_first_look === 1,
    ...switches,
    updated_at: isoTime(row.updated_at),
    created_by: row.created_by,
    total_size: totals.total_size,
    total_views: row.total_views,
    total_downloads: row.total_downloads,
  }
}

export const eventListItem = (row: EventRow, photoCount: number, origin: string, now: number): EventListItem => ({
  id: row.id,
  slug: row.slug,
  event_name: row.event_name,
  event_type: row.event_type,
  event_date: row.event_date,
  customer_name: row.customer_name,
  expires_at: expiryTime(row),
  is_active: row.is_archived === 0 && !isExpired(row, now),
  is_archived: row.is_archived === 1,
  is_draft: row.is_draft === 1,
  photo_count: photoCount,
  share_url: origin + sharePath(row),
  created_at: isoTime(row.created_at),
})
