import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** The unpacked Chromium is stored inside its package, so that a new package version is unpacked again. */
const folder = fileURLToPath(new URL('../unpacked', import.meta.resolve('@sparticuz/chromium')))

/** The Chromium from npm uses only the bundled fonts, so that pictures are identical on all machines. */
const fonts = '<?xml version="1.0"?><fontconfig><dir prefix="relative">fonts</dir></fontconfig>'

/** Chromium may connect only to this machine, and renders text without font hinting. */
const offlineFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

/** Starts the Chromium at CHROMIUM_PATH, or the one from npm (Linux on x64), which is unpacked at first use. */
export async function launchChromium(): Promise<Browser> {
  const { CHROMIUM_PATH: ownPath, ...ownEnv } = process.env
  // Without a UTF-8 locale, Chromium replaces non-ASCII characters in the names of downloads.
  const env = { ...ownEnv, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  if (!ownPath && !existsSync(folder)) await unpack()
  const executablePath = ownPath || join(folder, 'chromium')
  const bundledEnv = { FONTCONFIG_FILE: join(folder, 'fonts.conf'), LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
  return chromium.launch({ executablePath, args: offlineFlags, env: ownPath ? env : { ...env, ...bundledEnv } })
}

/**
 * Unpacks into a separate folder and renames it at the end. Otherwise the package would accept incomplete files of a
 * concurrent call.
 */
async function unpack(): Promise<void> {
  const unpacked = await mkdtemp(`${folder}-`)
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()"
  // AWS_LAMBDA_JS_RUNTIME makes the package also unpack the system libraries that Chromium needs.
  const environment = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  const options = { cwd: import.meta.dirname, env: environment }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options)
  await writeFile(join(unpacked, 'fonts.conf'), fonts)
  await rename(unpacked, folder).catch(async (error) => {
    await rm(unpacked, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}
