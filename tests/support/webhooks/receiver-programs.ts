import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, vi } from 'vitest'
import { readBlock } from '../docs/snippets.ts'
import { requireProgram } from '../run/requirements.ts'

/** The receivers in docs/integrating/webhooks.md, and how that page starts them. */
export const receiverPrograms = [
  {
    name: 'TypeScript',
    read: () => readBlock('receiver-typescript'),
    extension: 'mts',
    needs: [],
    program: process.execPath,
    args: () => ['receiver.mts'],
  },
  {
    name: 'Python',
    read: () => readBlock('receiver-python'),
    extension: 'py',
    needs: [requireProgram('python3')],
    program: 'python3',
    args: () => ['receiver.py'],
  },
  {
    name: 'PHP',
    read: () => readBlock('receiver-php'),
    extension: 'php',
    needs: [requireProgram('php')],
    program: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
]
type ReceiverProgram = (typeof receiverPrograms)[number]

/**
 * Programs that print the signature of `body.json` for SECRET: the one for `name` in docs/integrating/webhooks.md, and
 * the one for `snippet` in the admin app.
 */
export const signaturePrograms = [
  {
    name: 'TypeScript',
    snippet: 'Node',
    needs: [],
    program: 'node',
    flag: '-e',
    script: (line: string) =>
      `const { createHmac } = require('node:crypto')
       const body = require('node:fs').readFileSync('body.json')
       const secret = process.env.SECRET
       console.log(${line})`,
  },
  {
    name: 'Python',
    snippet: 'Python',
    needs: [requireProgram('python3')],
    program: 'python3',
    flag: '-c',
    script: (line: string) =>
      `import hmac, os; body = open('body.json', 'rb').read(); secret = os.environ['SECRET']; print(${line})`,
  },
  {
    name: 'PHP',
    snippet: 'PHP',
    needs: [requireProgram('php')],
    program: 'php',
    flag: '-r',
    script: (line: string) => `$body = file_get_contents('body.json'); $secret = getenv('SECRET'); echo ${line};`,
  },
  { name: 'shell', snippet: 'Shell', needs: [], program: 'bash', flag: '-c', script: (line: string) => line },
]

const maxStartMs = 60_000

type Start = { cwd: string; port: number; secret: string }

/** Starts a receiver that runs until the test ends. Returns a function that returns its output so far. */
export async function startReceiverProgram({ program, args }: ReceiverProgram, { cwd, port, secret }: Start) {
  const child = spawn(program, args(port), {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: String(port), SECRET: secret },
  })
  onTestFinished(() => end(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data
    })
  }
  await vi
    .waitUntil(async () => child.exitCode !== null || (await isResponding(port)), { timeout: maxStartMs })
    .catch(() => end(child))
  if (child.exitCode !== null || child.killed) throw new Error(`${program} does not receive:\n${output}`)
  return () => output
}

const isResponding = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
