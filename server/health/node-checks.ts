import type { HealthItem } from '../../contract/health.ts'
import { countNodes } from '../platform/database/running-nodes.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { HealthVoice } from './health-voice.ts'

/** Also works in a CLI command. */
export async function checkNodes(
  { database, db, config, changes }: AppContext,
  { say }: HealthVoice,
): Promise<HealthItem> {
  const nodes = database.kind === 'sqlite' ? 1 : await countNodes(db)
  const isHearing = !changes.isDeaf()
  const item = { key: 'nodes', facts: { nodes, is_hearing: isHearing } }
  if (!isHearing) return { ...item, status: 'warn', text: say('nodeIsDeaf'), fix: say('nodeIsDeafFix') }
  if (nodes > 1 && config.s3 === null) {
    return {
      ...item,
      status: 'warn',
      text: say('nodesWithFolder', { count: nodes }),
      fix: say('nodesWithFolderFix'),
    }
  }
  return { ...item, status: 'ok', text: say('nodes', { count: Math.max(nodes, 1) }), fix: null }
}
