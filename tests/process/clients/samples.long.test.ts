import { createHmac } from 'node:crypto'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildClientIfStale } from '../../../tools/build-client.ts'
import { runShell } from '../../support/docs/snippets.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { folderForFile } from '../../support/storage/folder-for-file.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const root = join(import.meta.dirname, '../../..')
const service = await serviceForFile()
const { admin, api, url } = service

type Node = {
  name: string
  type: string
  parameters: Record<string, unknown> & {
    url?: string
    method?: string
    jsonBody?: string
    queryParameters?: { parameters: Array<{ name: string; value: string }> }
  }
}
type Workflow = { nodes: Node[]; connections: Record<string, { main: Array<Array<{ node: string }>> }> }
type Scope = { $json: unknown; $: (name: string) => unknown; $input: unknown }

/** Evaluates `=text {{ expression }}` like n8n: an expression alone keeps its type. */
function evaluate(value: string, scope: Scope): unknown {
  if (!value.startsWith('=')) return value
  const run = (code: string) => new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope))
  const [, whole] = /^=\{\{((?:(?!\}\}).|\}\} \}\})*)\}\}$/s.exec(value) ?? []
  if (whole !== undefined) return run(whole)
  return value.slice(1).replace(/\{\{(.*?)\}\}/g, (_match, code: string) => String(run(code)))
}

async function readWorkflow(file: string) {
  const text = await readFile(join(root, 'samples/n8n', file), 'utf8')
  const { nodes, connections } = JSON.parse(text) as Workflow
  const getNode = (name: string): Node => {
    const found = nodes.find((node) => node.name === name)
    if (!found) throw new Error(`There is no node ${name}`)
    return found
  }
  return { nodes, connections, getNode }
}

describe('the n8n workflow', async () => {
  const { nodes, connections, getNode } = await readWorkflow('selection-to-slack.json')

  test('connects each node with the next', () => {
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node))
    expect(targets).toEqual(nodes.slice(1).map(({ name }) => name))
    expect(Object.keys(connections)).toEqual(nodes.slice(0, -1).map(({ name }) => name))
  })

  test('makes a message of the chosen files from a real selection', async () => {
    const webhook = await createTestWebhook(service, { events: ['selection.submitted'] })
    const event = await createEvent(api, { event_name: 'Ana & Ben' })
    const [first] = await uploadPhotos(api, event.id, 2)
    const guest = await enterAsGuest(service, event)
    await guest.post(`/api/gallery/${event.slug}/guest`, { name: 'Zoë' })
    await guest.post(`/api/gallery/${event.slug}/photos/${first}/feedback`, { feedback_type: 'favorite' })
    await guest.post(`/api/gallery/${event.slug}/selection`, {})
    const [body] = listAnnouncedOf(service, event.id)

    const signature = createHmac('sha256', webhook.secret).update(JSON.stringify(body)).digest('hex')
    const settings = { base: url, secret: webhook.secret, slack: 'https://hooks.slack.example/1' }
    const $json = { ...settings, body, headers: { 'x-service-signature': signature }, signature }
    const $ = () => ({ first: () => ({ json: $json }) })
    const { parameters: sign } = getNode('Sign')
    expect(sign).toMatchObject({ type: 'SHA256', encoding: 'hex', action: 'hmac', binaryData: true })
    expect(evaluate(String(sign.secret), { $json, $, $input: null })).toBe(webhook.secret)

    const { parameters: photos } = getNode('Get the photos')
    const address = new URL(String(evaluate(photos.url ?? '', { $json, $, $input: null })))
    for (const { name, value } of photos.queryParameters?.parameters ?? []) address.searchParams.set(name, value)
    const listed = await api.get(address.pathname + address.search)
    expect(listed.status).toBe(200)

    const { parameters: message } = getNode('Send to Slack')
    const $input = { all: () => [{ json: listed.body }] }
    expect(evaluate(message.url ?? '', { $json: listed.body, $, $input })).toBe(settings.slack)
    const code = (message.jsonBody ?? '').replace(/^=\{\{(.*)\}\}$/s, '$1')
    const sent = new Function('$', '$input', `return (${code})`)($, $input)
    expect(sent.text).toBe(`Zoë chose 1 photos of Ana & Ben:\n${listed.body.photos[0].source_filename}`)
  })
})

describe('the n8n workflow for invoices', async () => {
  const { nodes, connections, getNode } = await readWorkflow('selection-to-invoice.json')

  test('connects each node with the next', () => {
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node))
    expect(targets).toEqual(nodes.slice(1).map(({ name }) => name))
    expect(Object.keys(connections)).toEqual(nodes.slice(0, -1).map(({ name }) => name))
  })

  test('makes a line of the extra photos of a real selection', async () => {
    await createTestWebhook(service, { events: ['selection.submitted'] })
    const event = await createEvent(api, { event_name: 'Ana & Ben', customer_name: 'Ana' })
    const ids = await uploadPhotos(api, event.id, 3)
    await api.put(`/api/v1/events/${event.id}/package`, { purpose: 'Album', included: 1 })
    const guest = await enterAsGuest(service, event)
    for (const id of ids)
      await guest.post(`/api/gallery/${event.slug}/photos/${id}/feedback`, { feedback_type: 'favorite' })
    const { content_sha256 } = (await guest.post(`/api/gallery/${event.slug}/selection`, {})).body
    const [body] = listAnnouncedOf(service, event.id)

    const settings = { base: url, secret: 'secret', invoices: 'https://invoices.example/1', price: 12, body }
    const $ = () => ({ first: () => ({ json: settings }) })
    const { parameters: check } = getNode('Is genuine and has extras')
    expect(JSON.stringify(check)).toContain('$json.body.data.selection.extra_count')
    const { parameters: terms } = getNode('Get the package')
    const found = await api.get(
      new URL(String(evaluate(terms.url ?? '', { $json: settings, $, $input: null }))).pathname,
    )
    const { parameters: invoice } = getNode('Send to invoices')
    const scope = { $json: found.body, $, $input: null }
    expect(evaluate(invoice.url ?? '', scope)).toBe(settings.invoices)
    const code = (invoice.jsonBody ?? '').replace(/^=\{\{(.*)\}\}$/s, '$1')
    expect(new Function('$', '$json', `return (${code})`)($, found.body)).toEqual({
      reference: content_sha256,
      customer: { name: 'Ana', email: null },
      lines: [{ text: 'Album, Ana & Ben, round 1: 2 extra photos', quantity: 2, unit_price: 12 }],
    })
  })
})

describe('the Next.js gallery', async () => {
  const folder = await folderForFile()
  beforeAll(async () => {
    await buildClientIfStale()
    await cp(join(root, 'samples/nextjs-gallery'), folder, { recursive: true })
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(root, 'clients/typescript'), join(folder, 'node_modules/proofroom-client'))
    for (const name of ['react', 'react-dom', 'scheduler', '@types', 'csstype', 'undici-types']) {
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    }
  })

  test('compiles', async () => {
    await runShell(`node ${join(root, 'node_modules/typescript-native/bin/tsc')} --project . --types node`, {
      cwd: folder,
    })
  })

  test('lists open galleries, shows the photos of one and sends their pictures, and nothing of others', async () => {
    const open = await createEvent(api, { event_name: 'Open' })
    const closed = await createEvent(api, { event_name: 'Closed', require_password: true, password: 'olive tree 7' })
    const [shown, hidden] = await uploadPhotos(api, open.id, 2)
    await admin.patch(`/api/admin/photos/${open.id}/photos/${hidden}`, { visibility: 'hidden' })
    const [locked] = await uploadPhotos(api, closed.id, 1)
    await writeFile(
      join(folder, 'render.tsx'),
      `import { renderToStaticMarkup } from 'react-dom/server'
       import Galleries from './app/page'
       import Gallery from './app/[event]/page'
       import { GET } from './app/pictures/[event]/[photo]/route'
       const picture = async (event, photo) => {
         const response = await GET(new Request('http://localhost/'), { params: Promise.resolve({ event, photo }) })
         return [response.status, response.headers.get('content-type'), (await response.arrayBuffer()).byteLength > 100]
       }
       console.log(JSON.stringify({
         list: renderToStaticMarkup(await Galleries()),
         open: renderToStaticMarkup(await Gallery({ params: Promise.resolve({ event: '${open.id}' }) })),
         closed: renderToStaticMarkup(await Gallery({ params: Promise.resolve({ event: '${closed.id}' }) })),
         pictures: [
           await picture('${open.id}', '${shown}'),
           await picture('${open.id}', '${hidden}'),
           await picture('${closed.id}', '${locked}'),
           await picture('${open.id}', 'x'),
         ],
       }))`,
    )
    const options = { platform: 'node', tsconfig: false, transform: { jsx: 'react-jsx' } } as const
    const bundle = await rolldown({ input: join(folder, 'render.tsx'), cwd: folder, ...options })
    await bundle.write({ file: join(folder, 'render.mjs') })
    await bundle.close()
    const env = { PROOFROOM_URL: url, PROOFROOM_TOKEN: api.token ?? '' }
    const output = JSON.parse(await runShell('node render.mjs', { cwd: folder, env }))
    expect(output.list).toContain(`<a href="/${open.id}">Open, 2 photos</a>`)
    expect(output.list).not.toContain('Closed')
    expect(output.open).toContain(`src="/pictures/${open.id}/${shown}"`)
    expect(output.open).not.toContain(`/pictures/${open.id}/${hidden}`)
    expect(output.closed).toContain('no such gallery')
    const missing = [404, null, false]
    expect(output.pictures).toEqual([[200, expect.stringMatching(/^image\//), true], missing, missing, missing])
  })
})
