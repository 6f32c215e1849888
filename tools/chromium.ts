import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** Lies inside the package that brings the archive, so a newer package unpacks anew. */
const folder = fileURLToPath(new URL('../unpacked', import.meta.resolve('@sparticuz/chromium')))

/** Only the font that comes along: pictures look the same on every machine. */
const fonts = '<?xml version="1.0"?><fontconfig><dir prefix="relative">fonts</dir></fontconfig>'

/** Chromium looks nothing up and speaks to nobody but this machine. */
const quietly = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

/**
 * Starts a headless Chromium: the one at CHROMIUM_PATH, else the one that npm installed (Linux on x64), unpacked at
 * first use (about 2 seconds, 210 MB). Close it when done.
 */
export async function launchChromium(): Promise<Browser> {
  const { CHROMIUM_PATH: ownPath, ...own } = process.env
  // Without it a download keeps no name that is more than ASCII.
  const env = { ...own, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  if (!ownPath && !existsSync(folder)) await unpack()
  const executablePath = ownPath || join(folder, 'chromium')
  const brought = { FONTCONFIG_FILE: join(folder, 'fonts.conf'), LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
  return chromium.launch({ executablePath, args: quietly, env: ownPath ? env : { ...env, ...brought } })
}

/**
 * The package unpacks into the folder for temporary files and takes a half-written file for a whole one, so it gets a
 * folder of its own, which then takes its place in one step: several processes may come here at once.
 */
async function unpack(): Promise<void> {
  const fresh = await mkdtemp(`${folder}-`)
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()"
  // The last variable has it unpack the system libraries that Chromium links, too: then npm has brought all it takes.
  const environment = { ...process.env, TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  const options = { cwd: import.meta.dirname, env: environment }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options)
  await writeFile(join(fresh, 'fonts.conf'), fonts)
  await rename(fresh, folder).catch(async (error) => {
    await rm(fresh, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}
