import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { letterNames } from '../../contract/instance/letters.ts'
import { languages } from '../../contract/languages.ts'
import { nameLanguage } from '../../locales/name-language.ts'
import { adminAppForFile } from '../support/browser/admin-page.ts'
import { adminPages, fillAdminPages, longName } from '../support/browser/every-admin-page.ts'
import { createClient } from '../support/clients/test-client.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { createCheckoutFolder } from '../support/service/package-folder.ts'
import { startProgram } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A language of which every text stands in these brackets, so that any other text is not from a catalog. */
const language = 'en-XA'
const mark = (text: string): string => `⟦${text}⟧`

/** Adds the language as CONTRIBUTING.md describes it: a folder, and its name in one list. */
function addLanguage(app: string): void {
  const english = join(app, 'locales/en')
  mkdirSync(join(app, 'locales', language))
  for (const file of readdirSync(english)) {
    const catalog = JSON.parse(readFileSync(join(english, file), 'utf8'), (_key, value) =>
      typeof value === 'string' ? markParagraphs(value) : value,
    )
    writeFileSync(join(app, 'locales', language, file), JSON.stringify(catalog))
  }
  const list = join(app, 'contract/languages.ts')
  writeFileSync(list, readFileSync(list, 'utf8').replace("['en', 'de']", `['en', 'de', '${language}']`))
}

/** The text of a mail has paragraphs that consist of one variable. */
const markParagraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => (/^\{\w+\}$/.test(paragraph) && text.includes('\n\n') ? paragraph : mark(paragraph)))
    .join('\n\n')

test('with another language, every page, mail and command has the texts of its folder', async () => {
  const app = await temporaryFolder()
  createCheckoutFolder(app)
  rmSync(join(app, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'))
  for (const file of ['tsconfig.base.json', 'tsconfig.json']) cpSync(join(root, file), join(app, file))
  addLanguage(app)
  await run(process.execPath, ['tools/build.ts'], { cwd: app })
  const program = join(app, 'bin/proofroom.js')
  const dataDir = await temporaryFolder()
  const { url, end } = await startProgram(process.execPath, [program, 'serve'], {
    dataDir,
    port: await reservePort(),
    cwd: app,
    environment: { ADMIN_PASSWORD: adminPassword, RATE_LIMIT: 'off' },
  })
  const service = { url, ...(await signInAt(url)), anonymous: createClient(url) } as unknown as TestService
  const { admin, api } = service
  await admin.put('/api/admin/settings', { general_default_language: language })
  const getAddress = await fillAdminPages(service)
  const adminApp = await adminAppForFile(service)
  const { page, visit } = await adminApp.open(null, { locale: language })
  const found: string[] = []
  for (const path of adminPages) {
    await visit(getAddress(path))
    found.push(...(await listOtherTexts(page)).map((text) => `${path}: ${text}`))
  }
  const { events } = (await api.get('/api/v1/events?is_draft=false')).body
  for (const path of [new URL(events[0].share_url).pathname, '/gallery/nothing', '/invite/nothing']) {
    await page.goto(url + path)
    found.push(...(await listOtherTexts(page)).map((text) => `${path}: ${text}`))
  }
  for (const letter of letterNames) {
    await page.goto(`${url}/api/admin/letters/${letter}/${language}/html`)
    found.push(...(await listOtherTexts(page)).map((text) => `${letter}: ${text}`))
  }
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LC_ALL: `${language.replace('-', '_')}.UTF-8` }
  for (const command of ['--help', 'share --help', 'import picpeak --help', 'doctor', 'adopt']) {
    const { stdout, stderr } = await run(process.execPath, [program, ...command.split(' ')], { env })
    expect(stdout, command).toContain('⟦')
    const rest = [`${dataDir}/media`, ...ofCommander].reduce<string>(
      (text, one) => text.replaceAll(one, ''),
      stdout + stderr,
    )
    found.push(...listWords(rest).map((text) => `${command}: ${text}`))
  }
  await end('SIGTERM')
  expect([...new Set(found)]).toEqual([])
}, 600_000)

/** Returns the texts for readers, also in attributes, that are neither from a catalog nor data. */
async function listOtherTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const attributes = ['aria-label', 'title', 'placeholder', 'alt']
    const isCode = (node: Node) => node.parentElement?.closest('code, pre, kbd, script, style, noscript, title') != null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!isCode(node)) found.push(node.textContent ?? '')
    for (const element of document.querySelectorAll(attributes.map((name) => `[${name}]`).join())) {
      found.push(...attributes.map((name) => element.getAttribute(name) ?? ''))
    }
    // A text can have code inside, and so more than one node.
    return found.join('\n')
  })
  return listWords(texts)
}

/** Returns the lines that have a word which is neither from a catalog nor known. */
const listWords = (texts: string): string[] =>
  removeKnown(texts)
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text))

/** What commander adds to a help: headings, names of commands and options, their values. */
const ofCommander = [
  /^(Usage|Options|Commands):.*/gm,
  /^ {2}(-\w, )?--[\w-]+( <\w+>)?/gm,
  /^ {2}[a-z-]+( \[[\w.]+\]| <\w+>)*(?= )/gm,
  /\((choices|default):[^)]*\)/g,
]

/** Names that are the same in every language, what the test has stored, and what `Intl` formats. */
const known = [
  // A file in the preview of a mail.
  'IMG_1234.CR3',
  /\b(Proofroom|SVG|PNG|JPEG|WebP|WebM|AVIF|GIF|TIFF|HEIC|RAW|MP4|MOV|AVI|ZIP|CSV|Node|Python|PHP|Ruby|Go|Shell)\b/g,
  /\b(Classic|Linen|Noir|Meadow|Coast|Slate)\b/g,
  new RegExp(longName, 'g'),
  /\b(admin|Draft|Ben|Ana|person-\d+|photo-\d+\.jpg)\b/g,
  /[\w.-]*@[\w.-]+/g,
  /\b[a-z_]+\.[a-z_]+\b/g,
  /https?:\S+/g,
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d+(, \d{4})?(, \d+:\d+ [AP]M)?/g,
  /\d (B|kB|MB|GB|TB)\b/g,
]

function removeKnown(text: string): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '')
  }
  const names = [language, ...languages].map(nameLanguage)
  return [...names, ...known].reduce<string>((left, one) => left.replaceAll(one, ''), rest)
}
