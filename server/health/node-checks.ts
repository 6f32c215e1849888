import type { HealthItem } from '../../contract/health.ts'
import { countNodes } from '../platform/database/running-nodes.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { HealthFormatter } from './health-formatter.ts'

/** Also works in a CLI command. */
export async function checkNodes(
  { database, db, config, changes }: AppContext,
  { t }: HealthFormatter,
): Promise<HealthItem> {
  const nodes = database.kind === 'sqlite' ? 1 : await countNodes(db)
  const isConnected = !changes.isDisconnected()
  const item = { key: 'nodes', facts: { nodes, is_hearing: isConnected } }
  if (!isConnected) return { ...item, status: 'warn', text: t('nodeIsDeaf'), fix: t('nodeIsDeafFix') }
  if (nodes > 1 && config.s3 === null) {
    return {
      ...item,
      status: 'warn',
      text: t('nodesWithFolder', { count: nodes }),
      fix: t('nodesWithFolderFix'),
    }
  }
  return { ...item, status: 'ok', text: t('nodes', { count: Math.max(nodes, 1) }), fix: null }
}
