/**
 * A minimal server to compare pages of 50 photos with: for each request it reads the rows from the database and writes
 * them as JSON. Ends if its bytes differ from those of BODY, the page of the service. Usage: PORT=… list-page.ts
 * DATABASE BODY SLUG.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'

type Row = Record<string, number | null> & Record<'filename' | 'slug', string>

const [file = '', body = '', slug = ''] = process.argv.slice(2)
const colors = ['red', 'yellow', 'green', 'blue', 'purple']
const byPriority = ['green', 'yellow', 'red', 'blue', 'purple']
const database = new Database(file, { readonly: true })
const photos = database.prepare<unknown[], Row>(`
  SELECT photos.id, filename, original_filename, source_filename, thumbnail_filename, size_bytes, photos.type,
    photos.category_id, categories.name AS category, width, height, visibility, rating_sum, rating_count,
    average_hundredths, feedback_count, like_count, favorite_count, comment_count, red, yellow, green, blue, purple,
    marked_at, account_marks.rating AS my_rating, account_marks.color_label AS my_color_label,
    account_marks.updated_at AS my_marked_at, media_type, mime_type, duration, captured_at,
    photos.uploaded_at, uploaded_by, auto_categorized, processing_status, processing_error, content_hash, thumbhash
  FROM photos
  LEFT JOIN categories ON categories.id = photos.category_id
  LEFT JOIN photo_marks ON photo_marks.photo_id = photos.id
  LEFT JOIN account_marks ON account_marks.photo_id = photos.id AND account_marks.user_id = ?
  WHERE photos.event_id = ? ORDER BY photos.uploaded_at, photos.id LIMIT 50
`)
const totals = database.prepare('SELECT photo_count FROM event_photo_totals WHERE event_id = ?').pluck()
const eventId = database.prepare('SELECT id FROM events WHERE slug = ?').pluck().get(slug)
const userId = database.prepare('SELECT min(id) FROM users').pluck().get()

const time = (epochMs: number | null | undefined) => (epochMs ? new Date(epochMs).toISOString() : null)

function createRecord(row: Row) {
  const labels = Object.fromEntries(colors.flatMap((color) => (row[color] ? [[color, row[color]]] : [])))
  const dominant =
    byPriority.filter((color) => labels[color]).sort((a, b) => (labels[b] ?? 0) - (labels[a] ?? 0))[0] ?? null
  const guestRating = row.rating_count ? Math.floor((row.rating_sum ?? 0) / row.rating_count + 0.5) : null
  return {
    id: row.id,
    filename: row.filename,
    original_filename: row.original_filename,
    source_filename: row.source_filename,
    path: `${slug}/${row.filename}`,
    thumbnail_path: row.thumbnail_filename,
    size_bytes: row.size_bytes,
    type: row.type,
    category_id: row.category_id,
    category: row.category,
    width: row.width,
    height: row.height,
    visibility: row.visibility,
    average_rating: (row.average_hundredths ?? 0) / 100,
    feedback_count: row.feedback_count ?? 0,
    like_count: row.like_count ?? 0,
    favorite_count: row.favorite_count ?? 0,
    comment_count: row.comment_count ?? 0,
    color_labels: labels,
    dominant_color_label: dominant,
    my_rating: row.my_rating,
    my_color_label: row.my_color_label,
    color_label: row.my_color_label ?? dominant,
    rating: Math.max(guestRating ?? 0, row.my_rating ?? 0) || null,
    client_marked_at: time(row.marked_at),
    my_marked_at: time(row.my_marked_at),
    media_type: row.media_type,
    mime_type: row.mime_type,
    duration: row.duration,
    captured_at: time(row.captured_at),
    uploaded_at: time(row.uploaded_at),
    uploaded_by: row.uploaded_by,
    auto_categorized: row.auto_categorized === 1,
    processing_status: row.processing_status,
    processing_error: row.processing_error,
    content_hash: row.content_hash,
    thumbhash: row.thumbhash,
  }
}

function createPage(): string {
  const total = Number(totals.get(eventId))
  const rows = photos.all(userId, eventId)
  const last = rows.at(-1)
  const next = Buffer.from(JSON.stringify(['upload_date', 'asc', last?.uploaded_at, last?.id])).toString('base64url')
  const pagination = { page: 1, limit: 50, total, filtered: total, pages: Math.ceil(total / 50), next }
  return JSON.stringify({ photos: rows.map(createRecord), pagination })
}

if (createPage() !== readFileSync(body, 'utf8')) throw new Error(`not the bytes of ${body}`)

createServer((_request, response) => {
  const page = createPage()
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
  })
  response.end(page)
}).listen(Number(process.env.PORT), '127.0.0.1')
