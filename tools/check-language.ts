/**
 * Fails on words from `retired-words.json` in identifiers, comments, and the names of files and folders. Comments have
 * a separate list. Also fails on a folder with more than `maxFilesOfFolder` source files.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import retired from './retired-words.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
/** Tests outside `tests/` are not counted. */
const maxFilesOfFolder = 40

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...retired.folders], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file))

/**
 * Returns `someName` and `some-name` as "some name". Returns '' for `snake_case`, which names columns and JSON keys.
 */
const spaced = (name: string): string =>
  /[a-z]_[a-z]/.test(name)
    ? ''
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/[-.#$_]/g, ' ')
        .toLowerCase()

const has = (text: string, word: string): boolean => ` ${text} `.includes(` ${word} `)

const replacements = Object.entries(retired.identifiers)

const inName = (where: string, name: string): string[] =>
  (retired.exemptNames.includes(name) ? [] : replacements)
    .filter(([word]) => has(spaced(name), word))
    .map(([word, to]) => `${where}: "${name}": not "${word}" but ${to}`)

const inComment = (where: string, comment: string): string[] => {
  const text = comment.toLowerCase().replace(/[^a-z]+/g, ' ')
  return retired.comments.filter((word) => has(text, word)).map((word) => `${where}: the comment says "${word}"`)
}

function inSource(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind)
  const found: string[] = []

  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.end)
      found.push(...inName(`${file}:${line + 1}`, node.text))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(\/\/|\/?\*|\{\/\*)/.test(line)) found.push(...inComment(`${file}:${index + 1}`, line))
  }
  return found
}

const isExempt = (file: string): boolean => retired.exemptFolders.some((path) => file.startsWith(path))

const words = files
  .filter((file) => !isExempt(file))
  .flatMap((file) => [
    ...inName(file, basename(file).replace(/\.tsx?$/, '')),
    ...inName(file, dirname(file).replaceAll('/', '-')),
    ...inSource(file),
  ])

const counted = files.filter((file) => file.startsWith('tests/') || !/\.test\.tsx?$/.test(file))
const folders = [...Map.groupBy(counted, dirname)]
  .filter(([folder, { length }]) => length > maxFilesOfFolder && !isExempt(`${folder}/`))
  .map(([folder, { length }]) => `${folder}: ${length} source files, more than ${maxFilesOfFolder}: divide it`)

const faults = [...new Set([...words, ...folders])]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
