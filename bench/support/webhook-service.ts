import { join } from 'node:path'
import { openConnection } from './connection.ts'
import { makeApiToken, makeGallery, sendJson, signIn } from './gallery.ts'
import { postRequest } from './load-jobs.ts'
import type { Plan } from './plan.ts'
import { type Server, startService } from './server-process.ts'

export type WebhookService = {
  server: Server
  dataDir: string
  /** Creates a webhook for the receiver at this port. Resolves with its id. */
  subscribe: (port: number) => Promise<number>
  unsubscribe: (webhookId: number) => Promise<void>
  rename: (name: string) => Promise<void>
}

export async function startWebhookService(plan: Plan, name: string, core?: number): Promise<WebhookService> {
  const dataDir = join(plan.workspace, name)
  const server = await startService(dataDir, { core, env: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
  const { port } = server
  const session = await signIn(port)
  const { id, apiToken } = await makeGallery(port, await makeApiToken(port))
  const connection = await openConnection(port)
  return {
    server,
    dataDir,
    async subscribe(receiver) {
      const url = `http://127.0.0.1:${receiver}/hooks`
      const webhook = { name: 'Bench', url, events: ['event.updated'] }
      return Number((await sendJson(port, 'POST', '/api/admin/webhooks', webhook, session)).id)
    },
    async unsubscribe(webhookId) {
      await sendJson(port, 'DELETE', `/api/admin/webhooks/${webhookId}`, {}, session)
    },
    async rename(event_name) {
      const headers = { Authorization: `Bearer ${apiToken}` }
      const request = postRequest(port, `/api/v1/events/${id}`, { event_name }, headers).replace('POST', 'PATCH')
      const status = await connection.sendRequest(request)
      if (status !== 200) throw new Error(`the change is answered ${status}`)
    },
  }
}
