import { expect, test } from 'vitest'
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
