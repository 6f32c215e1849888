// Reads the file that `--env <file>` names into the environment. Node.js itself would read an option `--env-file`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'

/**
 * Removes `--env <file>` from the arguments and returns the path; null without the option. Variables that are set
 * already stay. Throws an Error with a message for the operator.
 */
export function readVariablesFile() {
  const file = takeOption('--env')
  if (file === null) return null
  const path = resolve(file)
  for (const [name, value] of parse(readLines(path))) process.env[name] ??= value
  return path
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
    throw new Error(`Cannot read the variables in ${path} (${error.code}).`)
  }
}

/** The format of systemd's `EnvironmentFile`: one `NAME=value` on each line, the value with or without quotes. */
function parse(lines) {
  return lines.flatMap((line) => {
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) return []
    const [, , inQuotes] = /^(["'])(.*)\1$/.exec(value) ?? []
    return [[name, inQuotes ?? value]]
  })
}
