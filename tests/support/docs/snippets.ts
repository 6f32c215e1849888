import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { TestService } from '../service/test-service.ts'

const root = join(import.meta.dirname, '../../..')
const maxMs = 120_000

/** The documents for readers, as paths from the root of the repository. */
export const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/README.md',
  'docs/glossary.md',
  ...['operating', 'integrating'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${folder}/${name}`),
  ),
]

/** `mark`: the comment directly above the block, such as `test: restore`; null if there is none. */
export type CodeBlock = { document: string; language: string; mark: string | null; text: string }

/** Returns the code blocks of a document in order, also those of list items. */
export const listCodeBlocks = (document: string): CodeBlock[] =>
  [
    ...readFileSync(join(root, document), 'utf8').matchAll(
      /(?:^ *<!-- ((?:not tested|test|output): [^\n]*) -->\n)?^( *)```(\w*)\n(.*?)^\2```$/gms,
    ),
  ].map(([, mark = null, indent = '', language = '', text = '']) => ({
    document,
    language,
    mark,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))

function findMarkedBlock(mark: string): string {
  const [block, ...others] = documents.flatMap(listCodeBlocks).filter((one) => one.mark === mark)
  if (!block || others.length > 0) throw new Error(`There is not exactly one code block with <!-- ${mark} -->`)
  return block.text
}

/** Returns the code block below `<!-- test: name -->`, in whichever document it is. Throws if it is not the only one. */
export const readBlock = (name: string): string => findMarkedBlock(`test: ${name}`)

/**
 * Throws unless the block below `<!-- output: name -->` shows this output. Numbers may differ, and `…` in the block stands
 * for any text in a line. A line that is only `…` stands for any number of lines.
 */
export function assertOutput(name: string, output: string): void {
  const pattern = findMarkedBlock(`output: ${name}`)
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\n)*?' : `${toPattern(line.trim())}\n`))
    .join('')
  if (new RegExp(`^${pattern}$`).test(`${output.trim().replaceAll(/^ +| +$/gm, '')}\n`)) return
  throw new Error(`The document shows another output as ${name} than:\n${output}\nExpected:\n${pattern}`)
}

const toPattern = (line: string): string =>
  line
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\d+/g, '\\d+')
    .replaceAll('…', '.*')

export const readCodeBlocks = (document: string, language: string): string[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, fence]) => fence === language)
    .map(([, , block = '']) => block)

/**
 * Writes the code blocks of one language in a document as files into a folder. Throws unless the first line of each
 * block names its file.
 */
export async function writeScripts(document: string, folder: string, language = 'ts'): Promise<void> {
  for (const block of readCodeBlocks(document, language)) {
    const [, name] = /^(?:\/\/|#|<\?php \/\/) (\S+\.\w+)\n/.exec(block) ?? []
    if (!name) throw new Error(`A script of ${document} does not begin with its name`)
    await writeFile(join(folder, name), block)
  }
}

/** Returns shell lines that set the variables of the quick start, with the address and the tokens of a service. */
export function createPreamble({ url, api, admin }: Pick<TestService, 'url' | 'api' | 'admin'>): string {
  const [first = ''] = readCodeBlocks('docs/integrating/quick-start.md', 'sh')
  const filled = first.replace(/^BASE=.*/m, `BASE=${url}`).replace(/^TOKEN=.*/m, `TOKEN=${api.token}`)
  if (!filled.includes(url) || !filled.includes(`${api.token}`))
    throw new Error('The quick start sets no BASE or TOKEN')
  return `${filled}\nexport BASE TOKEN\nSESSION=${admin.token}\n`
}

type ShellOptions = { cwd: string; env?: Record<string, string> }

/**
 * Runs a bash script and returns its output. Rejects when a command or a curl request fails; `node` is the Node that
 * runs the tests.
 */
export async function runShell(script: string, { cwd, env = {} }: ShellOptions): Promise<string> {
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', strictCurl + script], {
    cwd,
    timeout: maxMs,
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  const { stdout } = await running.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
  return stdout
}

/** Type-checks the scripts in strict mode. */
export function typeCheckScripts(files: string, folder: string): Promise<string> {
  const options = '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --types node'
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  return runShell(`node ${compiler} ${options} --target es2024 ${files}`, { cwd: folder })
}

/** Makes curl fail for statuses of 400 and above, and after 20 seconds. */
const strictCurl = 'curl() { command curl --fail-with-body --max-time 20 "$@"; }\n'
