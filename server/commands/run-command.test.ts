import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { sourceLanguage } from '../../contract/languages.ts'
import { createProgram } from './run-command.ts'

function readHelp(name: string): string {
  const command = createProgram('1.0.0').commands.find((one) => one.name() === name)
  const parts: string[] = []
  command?.configureOutput({ writeOut: (part) => parts.push(part) }).outputHelp()
  return parts.join('')
}

const names = createProgram('1.0.0').commands.map((command) => command.name())

test.each(names)('the help of %s states its exit codes', (name) => {
  expect(readHelp(name)).toMatch(/^Exit codes:\n {2}0 {2}everything was done\n {2}1 .+\n {2}2 .+/m)
})

test('every description is the key of a message, so that a start reads no messages', () => {
  const file = new URL(`../../locales/${sourceLanguage}/commands.json`, import.meta.url)
  const messages = Object.keys(JSON.parse(readFileSync(file, 'utf8')))
  const listKeys = (command: Command): string[] => [
    command.description(),
    ...command.options.map(({ description }) => description),
    ...command.commands.flatMap(listKeys),
  ]
  const keys = listKeys(createProgram('1.0.0')).filter((key) => key !== '')
  expect(keys.length).toBeGreaterThan(70)
  expect(keys.filter((key) => !messages.includes(key))).toEqual([])
})

test('check-config is a hidden name of doctor', () => {
  const program = createProgram('1.0.0')
  expect(names).toContain('check-config')
  expect(program.helpInformation()).toContain('doctor')
  expect(program.helpInformation()).not.toContain('check-config')
})

test.each(['share', 'import', 'backup', 'restore', 'verify-backup', 'migrate-database', 'migrate-storage'])(
  '%s logs its progress where there is no terminal',
  (name) => expect(readHelp(name)).toContain('--log-progress'),
)
