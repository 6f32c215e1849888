import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createPreamble,
  readBlock,
  readCodeBlocks,
  runShell,
  typeCheckScripts,
  writeScripts,
} from '../support/docs/snippets.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { adminPassword, serviceForFile } from '../support/service/test-service.ts'
import { folderForFile } from '../support/storage/folder-for-file.ts'
import { largeJpeg } from '../support/uploads/chunked-uploads.ts'

/** Runs the snippets of the integration guide, and the calls on the pages for operators. Some tests change details of a snippet first. */

const root = join(import.meta.dirname, '../..')
const getPagePath = (name: string) => `docs/integrating/${name}.md`
const service = await serviceForFile()
const { api, admin, url } = service
const folder = await folderForFile()

/** Creates the files of a reader of the guide: pictures of a camera and an edited picture. */
beforeAll(async () => {
  await mkdir(join(folder, 'pictures'))
  for (const [index, name] of ['DSC_0001', 'DSC_0002', 'DSC_0001-edited'].entries()) {
    await writeFile(join(folder, `${name}.jpg`), await jpeg({ seed: index + 1 }))
    await writeFile(join(folder, 'pictures', `${name}.jpg`), await jpeg({ seed: index + 1 }))
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
})

type PageOptions = {
  event?: TestEvent
  photo?: number | undefined
  change?: (script: string) => string
  after?: string
}

/** Runs the shell blocks of a page in one shell, in order. The preamble replaces the first block of the quick start. */
function runPage(name: string, { event, photo, change = (script) => script, after = '' }: PageOptions = {}) {
  const values = `${event ? `export EVENT=${event.id}\n` : ''}${photo ? `PHOTO=${photo}\n` : ''}`
  const blocks = readCodeBlocks(getPagePath(name), 'sh').slice(name === 'quick-start' ? 1 : 0)
  expect(blocks.length).toBeGreaterThan(0)
  const script = createPreamble(service) + values + change(blocks.join('\n')) + after
  return runShell(script, { cwd: folder, env: { PASSWORD: adminPassword } })
}

const photosOf = async ({ id }: { id: number }, query = '') =>
  (await api.get(`/api/v1/events/${id}/photos?limit=100${query}`)).body.photos

const credentials = { BASE: url, TOKEN: api.token ?? '' }

/** Evaluates an expression in the folder of the scripts. Returns its value as text. */
const runModule = async (expression: string) => {
  const script = `console.log(await ${expression})`
  return (await runShell('node --input-type=module --eval "$SCRIPT"', { cwd: folder, env: { SCRIPT: script } })).trim()
}

const sizeOf = async (name: string) => {
  const { format, width } = await sharp(await readFile(join(folder, name))).metadata()
  return `${format} ${width}`
}

const findLastLink = (output: string) => output.match(/http:[^\s"]+/g)?.at(-1) ?? ''

test('quick start: a folder of pictures becomes a gallery with a password', async () => {
  const output = await runPage('quick-start')
  expect((await fetch(findLastLink(output))).status).toBe(200)
  const [newest] = (await api.get('/api/v1/events?limit=1')).body.events
  expect(newest).toMatchObject({ share_url: findLastLink(output), is_draft: false, photo_count: 3 })
  expect(output).toContain('"total":3,"filtered":0')
})

test('authentication: a token is created, used and revoked', { tags: 'nightly' }, async () => {
  const before = (await admin.get('/api/admin/api-tokens')).body.length
  const output = await runPage('authentication', { after: 'echo; echo $TOKEN' })
  expect(output).toContain('"events":[')
  expect(output).toContain('"revoked":true')
  expect((await admin.get('/api/admin/api-tokens')).body).toHaveLength(before)
  const token = output.trim().split('\n').at(-1) ?? ''
  const answer = await service.anonymous.get('/api/v1/events', { authorization: `Bearer ${token}` })
  expect(answer.body.code).toBe('TOKEN_REVOKED')
})

test('events: created, protected, opened and found under the slug of the page', { tags: 'nightly' }, async () => {
  const change = (script: string) => script.replace(/("expiration_days":60\}' \|)/, '$1 tee changed.json |')
  const output = await runPage('events', { change })
  const changed = JSON.parse(await readFile(join(folder, 'changed.json'), 'utf8'))
  const { body } = await api.get(`/api/v1/events/${/"id":(\d+)/.exec(output)?.[1]}`)
  expect(changed).toMatchObject({ id: body.id, require_password: true, expires_at: body.expires_at })
  expect(body).toMatchObject({ slug: 'wedding-ana-and-ben-2027-06-12', require_password: false })
  expect(output).toContain(`"slug":"${body.slug}"`)
  expect(findLastLink(output)).toBe(body.share_url)
  expect(await readFile(join(root, getPagePath('events')), 'utf8')).toContain(body.slug)
})

test('photos: uploaded, replaced, sent again and downloaded', async () => {
  const event = await createEvent(api)
  const output = await runPage('photos', { event })
  const [first, second, ...others] = await photosOf(event)
  expect(others).toEqual([])
  expect(first).toMatchObject({ source_filename: 'DSC_0001.jpg', original_filename: 'DSC_0001-edited.jpg' })
  const lines = [expect.stringMatching(/^\d+_\w+\.jpg$/), `${second.id}`, `${second.id}`, 'hidden', '1']
  expect(output.trim().split('\n')).toEqual(lines)
  expect(first).toMatchObject({ visibility: 'visible', type: 'collage' })
  const edited = await readFile(join(folder, 'DSC_0001-edited.jpg'))
  expect(await readFile(join(folder, 'original.jpg'))).toEqual(edited)
  const zip = await readFile(join(folder, 'all.zip'))
  expect(zip.indexOf(edited)).toBeGreaterThan(0)
})

test('photos: the script computes the same hash as the service, also for several blocks', {
  tags: 'nightly',
}, async () => {
  await writeScripts(getPagePath('photos'), folder)
  const event = await createEvent(api)
  const large = Buffer.concat([await jpeg(), Buffer.alloc(10_485_760, 7)])
  await writeFile(join(folder, 'large.jpg'), large)
  const { body } = await api.upload(event.id, large)
  const hash = await runModule(`(await import('./content-hash.ts')).contentHash('large.jpg')`)
  expect(hash).toBe(body.content_hash)
})

test('large files: chunks sent by hand and by the script give the same file', { tags: 'nightly' }, async () => {
  await writeScripts(getPagePath('chunked-uploads'), folder)
  const event = await createEvent(api)
  const large = await largeJpeg(2 * 10_485_760 + 77)
  await writeFile(join(folder, 'large.jpg'), large)
  const lines = (await runPage('chunked-uploads', { event })).trim().split('\n')
  const [sentByHand] = await photosOf(event)
  expect(lines).toEqual(['33', '66', '100', '3', sentByHand.content_hash])
  const address = `${url}/api/v1/events/${event.id}/chunked-upload`
  await runModule(`(await import('./send-large.ts')).sendLarge('${address}', '${api.token}', 'large.jpg')`)
  const [, sentByScript] = await photosOf(event)
  expect(sentByScript).toMatchObject({ content_hash: sentByHand.content_hash, original_filename: 'large.jpg' })
})

test('marks: those of a guest and of the account arrive, and the filters find them', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 2)
  await runPage('marks', { event, photo })
  const marks = { id: photo, color_labels: { green: 1 }, my_rating: 4, rating: 5, color_label: 'blue' }
  expect(await photosOf(event, '&marked_only=true&min_rating=5&my_color_labels=blue')).toMatchObject([marks])
})

test('gallery list: the calls find own marks, a name and an order', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 2)
  const guest = await enterAsGuest(service, event)
  await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, { feedback_type: 'like' })
  const change = (script: string) =>
    `SLUG=${event.slug}\nGUEST=${guest.token}\n${script.replace('search=dsc', 'search=PHOTO-2').replaceAll('" -H', '" -w "\\n" -H')}`
  const responses = (await runPage('gallery-list', { change })).trim().split('\n')
  const lists = responses.map((answer) => JSON.parse(answer).photos)
  const outlined = lists.pop().map(([id]: [number]) => id - Number(photo))
  const found = lists.map((photos) => photos.map(({ id }: { id: number }) => id - Number(photo)))
  expect(found).toEqual([[1, 0], [0], [1], [1, 0]])
  expect(outlined).toEqual([1, 0])
})

test('guests: one enters, gives a name, is recognized and submits a selection', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 1)
  const output = await runPage('guests', { event })
  expect(new URL(findLastLink(output)).pathname).toMatch(/continue/)
  const load = async (list: string) => (await admin.get(`/api/admin/events/${event.id}/${list}`)).body[list]
  expect(await load('guests')).toMatchObject([{ name: 'Zoë', favorite_count: 1, selection_count: 1 }])
  expect(await load('selections')).toMatchObject([{ number: 1, note: 'For the album', photo_ids: [photo] }])
})

test('pictures of a gallery: thumbnail, a width for the screen, and the download under its own name', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(api, { strip_location: false })
  const bytes = await jpeg({ width: 2000, height: 1500, seed: 70 })
  const photo = (await api.upload(event.id, bytes, { name: 'DSC_0070.jpg' })).body.id
  await runPage('gallery-pictures', { event, photo })
  expect(await sizeOf('thumbnail.jpg')).toBe('jpeg 480')
  expect(await sizeOf('screen.webp')).toBe('webp 1280')
  expect(await readFile(join(folder, 'DSC_0070.jpg'))).toEqual(bytes)
})

test('pictures on a website: an address is requested, and a page of pictures is written', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 2)
  await runPage('signed-pictures', { event })
  expect(await sizeOf('picture.jpg')).toBe('jpeg 60')
  await writeScripts(getPagePath('signed-pictures'), folder)
  await runShell('node make-page.mts', { cwd: folder, env: { ...credentials, EVENT: String(event.id) } })
  const written = await readFile(join(folder, 'gallery.html'), 'utf8')
  const sources = [...written.matchAll(/<img src="([^"]+)"/g)].map(([, address = '']) => address)
  expect(sources).toHaveLength(2)
  for (const address of sources) expect((await fetch(address)).status).toBe(200)
})

test('customers: one is created, signs in and enters the assigned gallery', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 2)
  const output = await runPage('customers', { event })
  expect(output.trim().split('\n')).toEqual([event.slug, '2'])
})

test('feedback: a comment is given, read and deleted, and the feedback settings change', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 1)
  const output = await runPage('feedback', { event, photo })
  const comment = '"comment_text":"A little brighter?","guest_name":"Ana","is_own":true,"is_visible":false'
  for (const part of [comment, '"my_comment_count":1', '"removed":true', '"moderate_comments":false', 'retry: '])
    expect(output).toContain(part)
  expect((await admin.get(`/api/admin/feedback/events/${event.id}`)).body.feedback).toEqual([])
})

test('versions: a retouched file is added, a guest wants changes, and the first version is deleted', {
  tags: 'nightly',
}, async () => {
  const output = await runPage('versions', { event: await createEvent(api) })
  const note = '"number":2,"is_current":true,"width":60,"height":40,"note":"Brighter sky, as you asked"'
  for (const part of [note, '"decision":"changes_wanted"', '"state":"changes_wanted"', '"asked_count":1'])
    expect(output).toContain(part)
  expect(await sizeOf('before.jpg')).toBe('jpeg 60')
  expect(output).toMatch(/\}1\n1\n$/)
})

test('guest-downloads: a photo and the ZIP of a watermarked gallery are downloaded', { tags: 'nightly' }, async () => {
  const event = await createEvent(api, { watermark_downloads: true })
  await uploadPhotos(api, event.id, 2)
  const output = await runPage('guest-downloads', { event })
  expect(output).toMatch(
    /^\{"count":2,"video_count":0,"bytes":\d+,"ready":(true|false),"ready_count":\d,"missing":0,"withheld":0,"widths":\[\]\}$/,
  )
  const zip = await readFile(join(folder, 'gallery.zip'))
  expect(zip.indexOf(await readFile(join(folder, 'photo.jpg')))).toBeGreaterThan(0)
})

test('errors: the script retries only when the response allows it', { tags: 'nightly' }, async () => {
  await writeScripts(getPagePath('errors'), folder)
  const responses = [503, 429, 201, 404]
  const server = createServer((_request, response) => {
    const status = responses.shift() ?? 500
    response.writeHead(status, status === 503 || status === 429 ? { 'retry-after': '1' } : {}).end()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sent = `(await import('./send.ts')).send('${there}', {}).then(({ status }) => status)`
  expect([await runModule(sent), await runModule(sent)]).toEqual(['201', '404'])
})

test('paging: the loop reads every page once', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 3)
  await runPage('paging', { event, change: (script) => script.replace('limit=100', 'limit=2') })
  const pages = [1, 2].map((page) => readFile(join(folder, `page-${page}.json`), 'utf8'))
  expect((await Promise.all(pages)).flatMap((page) => JSON.parse(page).photos)).toEqual(await photosOf(event))
})

test('tokens: the account, a category, comments, selections, an export', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 1)
  const guest = await enterAsGuest(service, event)
  for (const body of [{ feedback_type: 'comment', comment_text: 'Lovely' }, { feedback_type: 'favorite' }])
    await guest.post(`/api/gallery/${event.slug}/photos/${photo}/feedback`, body)
  await guest.post(`/api/gallery/${event.slug}/selection`, {})
  const lines = (await runPage('token-calls', { event })).trim().split('\n')
  expect(lines.slice(0, 4)).toEqual(['admin', 'false', 'approved', '1'])
})

test('Lightroom: the script prints the picks as on the page, also of a replaced photo', {
  tags: 'nightly',
}, async () => {
  const event = await createEvent(api)
  const output = await runPage('lightroom', { event })
  expect(output).toMatch(/DSC_0001\.jpg\n$/)
  for (const name of ['DSC_0002.jpg', 'DSC_0003.jpg']) {
    await api.upload(event.id, await jpeg({ seed: 9 }), { name })
  }
  const [first, second] = await photosOf(event)
  expect(first.original_filename).toBe('DSC_0001-edited.jpg')
  const guest = await enterAsGuest(service, event)
  const mark = (photo: { id: number }, body: object) =>
    guest.post(`/api/gallery/${event.slug}/photos/${photo.id}/feedback`, body)
  await mark(first, { feedback_type: 'rating', rating: 5 })
  await mark(first, { feedback_type: 'color_label', color_label: 'green' })
  await mark(second, { feedback_type: 'color_label', color_label: 'red' })

  await writeScripts(getPagePath('lightroom'), folder)
  const picks = await runShell('node picks.mts', { cwd: folder, env: { ...credentials, EVENT: String(event.id) } })
  expect([picks]).toEqual(readCodeBlocks(getPagePath('lightroom'), 'text'))
})

/** Runs single blocks in one shell, with the values of the quick start. */
const runBlocks = (blocks: string[], values = '') =>
  runShell(createPreamble(service) + values + blocks.join('\necho\n'), { cwd: folder })

test('photos for operators: uploaded, listed, ordered by hand and repaired', { tags: 'nightly' }, async () => {
  const event = await createEvent(api)
  const [first, ...others] = await uploadPhotos(api, event.id, 3)
  const order = readBlock('photo-order')
    .replace('[3, 7]', `[${others}]`)
    .replace('"photo_id": 1', `"photo_id": ${first}`)
  const blocks = [readBlock('admin-upload'), readBlock('admin-photo-list'), order, readBlock('repair-dimensions')]
  const output = await runBlocks(blocks, `EVENT=${event.id}\n`)
  expect(output).toContain('"moved":2')
  expect(await photosOf(event)).toHaveLength(5)
})

test('settings and accounts: changed and created by the calls of their pages', { tags: 'nightly' }, async () => {
  const output = await runBlocks([readBlock('change-settings'), readBlock('create-account')])
  expect(output).toContain('"branding_studio_name":"Studio Berg"')
  expect(output).toContain('"invite_url":"')
})

test('admin API: the call signs in, and the description is complete enough for a generator', {
  tags: 'nightly',
}, async () => {
  const here = (block: string) => block.replace('https://photos.example.com', url)
  const signIn = here(readBlock('admin-api-sign-in')).replace('"…"', `"${adminPassword}"`)
  // The installed package replaces the command that downloads it.
  const npx = 'npx() { name=$1; shift; node node_modules/$name/bin/cli.js "$@"; }\n'
  expect(await runBlocks([npx + signIn, here(readBlock('admin-api-description'))])).toContain('"token":"')
  expect(await readFile(join(folder, 'admin.ts'), 'utf8')).toContain('/api/admin/webhooks')
})

test('the scripts of all pages compile', async () => {
  for (const name of ['photos', 'errors', 'lightroom', 'chunked-uploads', 'signed-pictures'])
    await writeScripts(getPagePath(name), folder)
  await typeCheckScripts('content-hash.ts send.ts picks.mts send-large.ts make-page.mts', folder)
})

test('OpenAPI client: the types are generated, the client compiles with them and works', {
  tags: 'nightly',
}, async () => {
  const ofClient = readBlock('share-with-client')
  const generated = readBlock('generated-client')
  // Another test runs the scripts of the README.
  expect(readCodeBlocks('clients/typescript/README.md', 'ts')).toContain(ofClient)
  await writeFile(join(folder, 'client.mts'), generated)
  // The installed packages replace the two commands that download them.
  const commands = 'npm() { :; }\nnpx() { name=$1; shift; node node_modules/$name/bin/cli.js "$@"; }\n'
  await runPage('openapi-client', { change: (script) => commands + script })
  await typeCheckScripts('client.mts', folder)
  expect(await runShell('node client.mts', { cwd: folder, env: credentials })).toBe('DSC_0001.jpg null\n')
})
