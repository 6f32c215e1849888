import type { HealthItem } from '../../contract/health.ts'
import { countNodes } from '../platform/database/running-nodes.ts'
import type { House } from '../settings/house.ts'

/** Also as another process of the service that has the database open, such as a command. */
export async function checkNodes({ database, db, config, changes }: House): Promise<HealthItem> {
  const nodes = database.kind === 'sqlite' ? 1 : await countNodes(db)
  const isHearing = !changes.isDeaf()
  const item = { key: 'nodes', facts: { nodes, is_hearing: isHearing } }
  const are = nodes > 1 ? `${nodes} nodes work on the database` : 'One node works on the database'
  if (!isHearing) {
    return {
      ...item,
      status: 'warn',
      text: 'This node does not hear what others change: it keeps nothing in memory and asks the database each time.',
      fix: 'See that it reaches PostgreSQL by itself or through a pooler in session mode.',
    }
  }
  if (nodes > 1 && config.s3 === null) {
    return {
      ...item,
      status: 'warn',
      text: `${are}, and photos lie in a folder: what one of them has taken in is missing where another has a folder of its own.`,
      fix: 'Keep the photos in an S3 store: set S3_BUCKET and its like.',
    }
  }
  return { ...item, status: 'ok', text: `${are}.`, fix: null }
}
