/**
 * A minimal server to compare pages of 50 photos with: it reads the rows from the database, parses the body and writes
 * it again as JSON. Usage: PORT=… list-page.ts DATABASE BODY.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'

const [file = '', body = ''] = process.argv.slice(2)
const database = new Database(file, { readonly: true })
const photos = database.prepare(`
  SELECT * FROM photos LEFT JOIN photo_marks ON photo_marks.photo_id = photos.id
  WHERE photos.event_id = ? ORDER BY photos.uploaded_at, photos.id LIMIT 50
`)
const eventId = database.prepare('SELECT min(event_id) FROM photos').pluck().get()
const record = JSON.parse(readFileSync(body, 'utf8'))

createServer((_request, response) => {
  const rows = photos.all(eventId)
  const text = JSON.stringify({ ...record, count: rows.length })
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}).listen(Number(process.env.PORT), '127.0.0.1')
