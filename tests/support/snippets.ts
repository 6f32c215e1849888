import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const longestMs = 60_000

/** The fenced blocks of one language in a document, in their order. */
export const blocksOf = (document: string, language: string): string[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, fence]) => fence === language)
    .map(([, , block = '']) => block)

/** Writes the TypeScript of a document into a folder, each block under the name in its first line. */
export async function writeScripts(document: string, folder: string): Promise<void> {
  for (const block of blocksOf(document, 'ts')) {
    const [, name] = /^\/\/ (\S+\.m?ts)\n/.exec(block) ?? []
    if (!name) throw new Error(`A script of ${document} does not begin with its name`)
    await writeFile(join(folder, name), block)
  }
}

type Surroundings = { cwd: string; env?: Record<string, string> }

/** Ends with an error when a command or a call in it fails. Node is the one that runs the tests. */
export async function runShell(script: string, { cwd, env = {} }: Surroundings): Promise<string> {
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', strict + script], {
    cwd,
    timeout: longestMs,
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  const { stdout } = await running.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
  return stdout
}

/** What curl is answered below 400 alone is a success. */
const strict = 'curl() { command curl --fail-with-body --max-time 20 "$@"; }\n'
