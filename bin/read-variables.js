// Reads the file that `--env <file>` names into the environment. Node.js itself would read an option `--env-file`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { describeUnreadable } from './unreadable-variables.js'

/**
 * Removes `--env <file>` from the arguments. Returns the path, the names that are in the file more than once, and the
 * numbers of the lines that are ignored; null without the option. If a name occurs twice, the last value counts, as in
 * systemd. Variables that are already set do not change. Throws an Error with a message for the operator.
 */
export function readVariablesFile() {
  const file = takeOption('--env')
  if (file === null) return null
  const path = resolve(file)
  const lines = readLines(path)
  const entries = lines.flatMap((line) => parse(line))
  for (const [name, value] of new Map(entries)) process.env[name] ??= value
  const names = entries.map(([name]) => name)
  const repeatedNames = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  const ignoredLines = lines.flatMap((line, index) => (isEmpty(line) || parse(line).length > 0 ? [] : [index + 1]))
  return { path, repeatedNames, ignoredLines }
}

function takeOption(name) {
  const end = process.argv.indexOf('--')
  const args = end === -1 ? process.argv : process.argv.slice(0, end)
  const index = args.findIndex((arg, at) => at > 1 && (arg === name || arg.startsWith(`${name}=`)))
  if (index === -1) return null
  const hasValue = args[index] !== name
  const value = hasValue ? args[index].slice(name.length + 1) : args[index + 1]
  if (!value) throw new Error(`${name} needs the path of a file.`)
  process.argv.splice(index, hasValue ? 1 : 2)
  return value
}

function readLines(path) {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    const fix = error.code === 'EACCES' ? describeUnreadable(path) : 'Name a file with variables after --env.'
    throw new Error(`Cannot read the variables in ${path} (${error.code}). ${fix}`)
  }
}

/** The format of systemd's `EnvironmentFile`: one `NAME=value` on each line, the value with or without quotes. */
function parse(line) {
  const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
  if (name === undefined) return []
  const [, , inQuotes] = /^(["'])(.*)\1$/.exec(value) ?? []
  return [[name, inQuotes ?? value]]
}

const isEmpty = (line) => /^\s*($|[#;])/.test(line)
