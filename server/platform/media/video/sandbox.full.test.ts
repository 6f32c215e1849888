import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { detectIsolation } from './isolation.ts'
import { runLimited } from './run-limited.ts'
import { enterSandbox, type SandboxedProgram } from './sandbox.ts'

const limits = { wallSeconds: 30, cpuSeconds: 20, memoryBytes: 2 ** 30, fileBytes: 2 ** 20 }
// Most containers, for example, do not allow namespaces. The video worker then has the limits only.
const namespaces = ['--user', '--map-root-user', '--mount', '--net', '--ipc', '--pid', '--fork']
const hasNamespaces = spawnSync('unshare', [...namespaces, 'mount', '-t', 'tmpfs', 'none', '/sys']).status === 0

/** Runs a script in the sandbox. Its input and the file for descriptor 3 are in a folder that it does not see. */
async function run(program: 'sh' | 'node', script: string, overrides: Partial<SandboxedProgram> = {}) {
  const folder = join(await temporaryFolder(), 'data # 1\\040')
  await mkdir(folder)
  const [inputPath, outputPath] = [join(folder, 'input'), join(folder, 'output')]
  await writeFile(inputPath, 'input')
  await using input = await open(inputPath, 'r')
  await using output = await open(outputPath, 'w')
  const command = program === 'sh' ? ['/bin/sh', '-c', script, folder] : [process.execPath, '-e', script, folder]
  const sandboxed = enterSandbox({ command, inputPath, visiblePaths: [process.execPath], ...overrides })
  const signal = new AbortController().signal
  const result = await runLimited({ command: sandboxed, input: input.fd, output: output.fd, limits, signal })
  expect(result).toMatchObject({ outcome: 'done', errors: '' })
  return { text: result.text, output: await readFile(outputPath, 'utf8') }
}

async function listen(address: string): Promise<string> {
  const server: Server = createServer((socket) => void socket.on('error', () => undefined).destroy())
  server.listen(address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return address
}

test('is used where the system allows namespaces', async () => {
  expect(await detectIsolation()).toBe(hasNamespaces ? 'sandbox' : 'limits')
})

test.skipIf(!hasNamespaces)('reads its input twice, and writes its output', async () => {
  const { text, output } = await run('sh', 'cat; cat /dev/fd/0; echo > /dev/null; echo made >&3')
  expect([text, output]).toEqual(['inputinput', 'made\n'])
})

test.skipIf(!hasNamespaces)('sees no file outside, no process, and no network', async () => {
  const paths = [import.meta.dirname, '/etc/passwd', '/run', '/var', '/tmp', '/home', '/root', '/sys/class', '/dev/shm']
  const { text } = await run(
    'node',
    `const { existsSync, readdirSync } = require('node:fs')
     const seen = ${JSON.stringify(paths)}.concat(process.argv[1]).filter((path) => existsSync(path))
     const isGone = (() => { try { process.kill(${process.pid}, 0) } catch { return true } })()
     const networks = Object.keys(require('node:os').networkInterfaces())
     console.log(JSON.stringify({ seen, processes: readdirSync('/proc'), pid: process.pid, isGone, networks }))`,
  )
  expect(JSON.parse(text)).toEqual({ seen: [], processes: [], pid: 1, isGone: true, networks: [] })
})

test.skipIf(!hasNamespaces)('reaches no unix socket outside, by path or by abstract name', async () => {
  // The path of a socket can have 107 bytes, which is less than some folders for temporary files have.
  const folder = await mkdtemp('/tmp/proofroom-')
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = await listen(join(folder, 'socket'))
  const addresses = [path, await listen(`\0proofroom-${process.pid}`)]
  const script = `for (const path of ${JSON.stringify(addresses)}) require('node:net').connect({ path })
    .on('error', ({ code }) => console.log(code))
    .on('connect', function () { console.log('connected'); this.destroy() })`
  const outside = await promisify(execFile)(process.execPath, ['-e', script], {
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  expect(outside.stdout).toBe('connected\nconnected\n')
  const { text } = await run('node', script)
  expect(text.split('\n').sort()).toEqual(['', 'ECONNREFUSED', 'ENOENT'])
})

test.skipIf(!hasNamespaces)('sees visible folders read-only, and the private folder in them empty', async () => {
  const folder = await temporaryFolder()
  const privateFolder = join(folder, "it's private")
  await mkdir(privateFolder)
  await writeFile(join(privateFolder, 'secret'), 'secret')
  await writeFile(join(folder, 'library'), 'library')
  const script = `ls -A '${folder}'; ls -A "${privateFolder}"; cat '${folder}/library'
     for mount in / '${folder}' "${privateFolder}" /bin /dev/fd/0; do umount "$mount" 2>/dev/null && echo unlocked; done
     for path in '${folder}/more' "${privateFolder}/more" /bin/more; do (echo > "$path") 2>/dev/null && echo written; done
     unshare --user --map-root-user --mount mount -o remount,bind,rw '${folder}' 2>/dev/null && echo remounted
     exit 0`
  const { text } = await run('sh', script, { visiblePaths: [folder], privateFolder })
  expect(text).toBe("it's private\nlibrary\nlibrary")
})
