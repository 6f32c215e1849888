import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const secret = Buffer.from('a secret of thirty-two bytes ...').toString('base64')
const body = '{"type":"photo.uploaded","name":"Zoë"}'
const signature = createHmac('sha256', secret).update(body).digest('hex')

const lineOf = (language: string): string =>
  snippetsFor('YSBzZWNy').find((snippet) => snippet.language === language)?.line ?? ''

/** How each language is asked for what its line computes. */
const programs = [
  {
    language: 'Node',
    program: process.execPath,
    script: (line: string) => `
      const { createHmac } = require('node:crypto')
      const body = require('node:fs').readFileSync('body.json'), secret = process.env.SECRET
      console.log(${line})`,
    flag: '-e',
  },
  {
    language: 'Python',
    program: 'python3',
    script: (line: string) =>
      `import hmac, os; body = open('body.json', 'rb').read(); secret = os.environ['SECRET']; print(${line})`,
    flag: '-c',
  },
  {
    language: 'PHP',
    program: 'php',
    script: (line: string) => `$body = file_get_contents('body.json'); $secret = getenv('SECRET'); echo ${line};`,
    flag: '-r',
  },
  { language: 'Shell', program: 'bash', script: (line: string) => line, flag: '-c' },
]

for (const { language, program, script, flag } of programs) {
  test(`the line for ${language} computes what we sign with`, ({ skip }) => {
    skip(spawnSync(program, ['--version']).error !== undefined, `${program} is not installed`)
    const cwd = mkdtempSync(join(tmpdir(), 'proofroom-snippet-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    writeFileSync(join(cwd, 'body.json'), body)
    const env = { PATH: process.env.PATH, SECRET: secret }
    expect(execFileSync(program, [flag, script(lineOf(language))], { cwd, env, encoding: 'utf8' }).trim()).toBe(
      signature,
    )
  })
}

test('every snippet says how the secret begins, and none holds more of it', () => {
  for (const { whole } of snippetsFor('YSBzZWNy')) expect(whole).toContain('YSBzZWNy')
})
