import Database from 'better-sqlite3'

const colors = ['red', 'yellow', 'green', 'blue', 'purple']
const scattered = 7919

/**
 * Marks 30 % of the photos by guests and 10 % by the first account; 5 % have both. Inserts only the rows that photo
 * lists read, no feedback rows. Also gives each photo a distinct upload time.
 */
export function addMarkRows(file: string, eventId: number): void {
  const database = new Database(file)
  database.transaction(() => {
    database.prepare('UPDATE photos SET uploaded_at = uploaded_at + 1000 * id WHERE event_id = ?').run(eventId)
    const photos = database.prepare('SELECT id, uploaded_at FROM photos WHERE event_id = ?').all(eventId)
    const userId = database.prepare('SELECT min(id) FROM users').pluck().get()
    const byGuests = inserter(database, 'photo_marks')
    const byAccount = inserter(database, 'account_marks')
    for (const [index, { id, uploaded_at }] of (photos as Array<{ id: number; uploaded_at: number }>).entries()) {
      const place = { photo_id: id, event_id: eventId, uploaded_at }
      const number = (index * scattered) % 100
      if (number < 30) byGuests({ ...place, ...guestMarks(index) })
      if (number >= 25 && number < 35) byAccount({ ...place, user_id: userId, ...ownMarks(index) })
    }
  })()
  database.close()
}

function guestMarks(index: number): Record<string, number> {
  const ratings = index % 3 === 0 ? 0 : 1 + (index % 4)
  const sum = ratings * (1 + (index % 4)) + (ratings > 1 ? 1 : 0)
  const color = index % 3 === 1 ? -1 : index % 5
  const labels = color === -1 ? 0 : 1 + (index % 2)
  return {
    rating_sum: sum,
    rating_count: ratings,
    average_hundredths: ratings === 0 ? 0 : Math.round((100 * sum) / ratings),
    label_mask: color === -1 ? 0 : 1 << color,
    ...Object.fromEntries(colors.map((name, number) => [name, number === color ? labels : 0])),
    like_count: 0,
    favorite_count: 0,
    comment_count: 0,
    feedback_count: Math.max(ratings, labels),
    marked_at: 1,
  }
}

const ownMarks = (index: number) => ({
  rating: index % 3 === 0 ? null : 1 + (Math.floor(index / 7) % 5),
  color_label: index % 3 === 1 ? null : colors[Math.floor(index / 7) % 5],
  updated_at: 1,
})

function inserter(database: Database.Database, table: string): (row: Record<string, unknown>) => void {
  const names = (database.pragma(`table_info(${table})`) as Array<{ name: string }>).map(({ name }) => name)
  const statement = database.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  return (row) => void statement.run(row)
}
