import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { addGuestPicks, adminPages, signInToAdmin } from './admin-screenshots.ts'
import { launchChromium } from './chromium.ts'
import {
  beginFirstLook,
  createDemoEvent,
  type Demo,
  type DemoEvent,
  startDemo,
  uploadDemoPhotos,
} from './demo-event.ts'
import { root } from './is-stale.ts'
import { phone } from './largest-paint.ts'

// `npm run judge`: checks pages with the HTML checker of the W3C, as they are sent and as the apps change them, and five
// pages with Lighthouse (`CHROMIUM_PATH`). Both are installed into a cache at the first run. The checker needs Java.
const run = promisify(execFile)
const folder = join(root, 'node_modules/.cache/judges')
const judges = ['vnu-jar@26.9.27', 'lighthouse@13.5.0']
const lighthouseRuns = 5

await mkdir(join(folder, 'pages'), { recursive: true })
await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', ...judges])
const demo = await startDemo()
try {
  const [covered, words] = await Promise.all([
    createDemoEvent(demo, { header_style: 'hero' }),
    createDemoEvent(demo, { header_style: 'hero', cover_layout: 'words' }),
  ])
  const [standard, locked, empty, hidden, limited] = await Promise.all([
    createDemoEvent(demo, { header_style: 'standard', language: 'de', event_name: 'Łucja & Jörg' }),
    createDemoEvent(demo, { require_password: true, password: 'seaside-evening' }),
    createDemoEvent(demo),
    createDemoEvent(demo, { reveal_at: '2100-01-01T00:00:00.000Z' }),
    createDemoEvent(demo, { header_style: 'none', keep_versions: true }),
  ])
  for (const event of [covered, standard]) await uploadDemoPhotos(demo, event)
  await addGuestPicks(demo, standard)
  for (const event of [standard, empty]) await beginFirstLook(demo, event)
  const galleries = [covered, words, standard, locked, empty, hidden, limited].map(({ share_url }) => share_url)
  const sent = [
    ...galleries,
    `${standard.share_url}?photo=1`,
    `${standard.share_url}?filter=favorited`,
    ...['/gallery/nobody/nothing', '/admin', '/api/docs', '/invite/nobody', `/mails/${'0'.repeat(43)}`].map(
      (path) => demo.url + path,
    ),
  ]
  await checkHtml([...(await storeSent(sent)), ...(await storeRendered(demo, standard, covered))])
  const first = covered.share_url
  const judged = { cover: first, standard: standard.share_url, password: locked.share_url }
  await judgeSpeed({ ...judged, photo: `${first}?photo=1`, 'sign-in': `${demo.url}/admin` })
} finally {
  await demo.stop()
}

async function storeSent(urls: string[]): Promise<string[]> {
  const files: string[] = []
  for (const [index, url] of urls.entries()) {
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    files.push(
      await store(`sent-${index}${new URL(url).pathname.replaceAll('/', '-').slice(0, 30)}`, await response.text()),
    )
  }
  return files
}

/** The pages as the apps have changed them. */
async function storeRendered(demo: Demo, standard: DemoEvent, covered: DemoEvent): Promise<string[]> {
  const browser = await launchChromium()
  const files: string[] = []
  const visit = async (context: BrowserContext, name: string, url: string, act?: (page: Page) => Promise<unknown>) => {
    const page = await context.newPage()
    await page.goto(url)
    // Some pages keep a request open for changes.
    await page.waitForTimeout(1500)
    await act?.(page)
    files.push(await store(`rendered-${name}`, await page.content()))
    await page.close()
  }
  try {
    const guest = await browser.newContext(phone)
    await visit(guest, 'gallery', standard.share_url)
    await visit(guest, 'cover', covered.share_url)
    await visit(guest, 'viewer', covered.share_url, (page) => page.locator('.photo').first().click())
    const operator = await browser.newContext({ viewport: { width: 1280, height: 960 } })
    await visit(operator, 'sign-in', `${demo.url}/admin`)
    await signInToAdmin(operator, demo)
    const paths = ['events/new', 'settings', 'webhooks', 'api-tokens', 'users', 'health', 'mail', 'trash', 'account']
    const more = [...paths, `events/${standard.id}/settings`, `events/${standard.id}/activity`]
    const pages = [
      ...adminPages(standard),
      ...more.map((path) => ({ name: path.replaceAll('/', '-'), path: `/admin/${path}` })),
    ]
    for (const { name, path } of pages) await visit(operator, name, demo.url + path)
  } finally {
    await browser.close()
  }
  return files
}

async function store(name: string, text: string): Promise<string> {
  const file = join(folder, 'pages', `${name}.html`)
  await writeFile(file, text.startsWith('<!') ? text : `<!doctype html>${text}`)
  return file
}

async function checkHtml(files: string[]): Promise<void> {
  const jar = join(folder, 'node_modules/vnu-jar/build/dist/vnu.jar')
  const checked = run('java', ['-jar', jar, '--format', 'json', '--stdout', '--exit-zero-always', ...files], {
    maxBuffer: 1e8,
  })
  const { messages } = JSON.parse((await checked).stdout) as {
    messages: Array<{ url: string; type: string; message: string; extract: string }>
  }
  const errors = messages.filter(({ type }) => type === 'error')
  const found = new Map<string, number>()
  for (const { url, message, extract } of errors) {
    const name = url.slice(url.lastIndexOf('/') + 1)
    const line = `${name}: ${message} … ${extract.replaceAll('\n', ' ').slice(0, 160)}`
    found.set(line, (found.get(line) ?? 0) + 1)
  }
  for (const [line, count] of found) console.log(`${count} × ${line}`)
  console.log(`HTML checker: ${files.length} pages, ${errors.length} errors`)
  if (errors.length > 0) process.exitCode = 1
}

async function judgeSpeed(urls: Record<string, string>): Promise<void> {
  const browser = process.env.CHROMIUM_PATH
  if (!browser) return console.log('Lighthouse needs CHROMIUM_PATH')
  const categories = ['performance', 'accessibility', 'best-practices']
  for (const [name, url] of Object.entries(urls)) {
    const scores = new Map<string, number[]>()
    const add = (key: string, value: number) => scores.set(key, [...(scores.get(key) ?? []), value])
    const failed = new Set<string>()
    for (let index = 0; index < lighthouseRuns; index++) {
      const output = join(folder, 'lighthouse.json')
      await run(
        join(folder, 'node_modules/.bin/lighthouse'),
        [
          ...[url, '--quiet', '--output=json', `--output-path=${output}`, `--only-categories=${categories}`],
          '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
        ],
        { env: { ...process.env, CHROME_PATH: browser } },
      )
      const report = JSON.parse(await readFile(output, 'utf8'))
      for (const category of categories) add(category, report.categories[category].score * 100)
      const metrics = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
      for (const metric of metrics) add(metric, report.audits[metric].numericValue)
      const audits = Object.values(report.audits) as Array<{ id: string; score: number | null }>
      for (const { id, score } of audits) if (score !== null && score < 0.9) failed.add(id)
    }
    const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    const line = [...scores].map(([key, values]) => `${key} ${Number(middle(values).toFixed(3))}`)
    console.log(`${name}: ${line.join(', ')}; below 90: ${[...failed].join(' ')}`)
  }
}
