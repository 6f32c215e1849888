import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../run/temporary-folder.ts'

const redocly = join(import.meta.dirname, '../../../node_modules/.bin/redocly')

/** Returns what the recommended rules of a linter find in an OpenAPI document, warnings included. */
export async function lintDescription(description: object, rules: Record<string, 'off'> = {}): Promise<unknown[]> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(description))
  await writeFile(join(folder, 'redocly.yaml'), JSON.stringify({ extends: ['recommended-strict'], rules }))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const command = [redocly, 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json']
  const linting = promisify(execFile)(process.execPath, command, { cwd: folder, env, maxBuffer: 2 ** 26 })
  const { stdout } = await linting.catch((error: { stdout: string }) => error)
  return JSON.parse(stdout).problems
}
