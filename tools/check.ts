/** `npm run check`: runs all checks at once, and prints the output of those that fail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const checks = ['format', 'types', 'unused', 'imports', 'licenses']

const failed = await Promise.all(
  checks.map(async (name) => {
    const child = spawn('npm', ['run', '--silent', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
    const [code] = await once(child, 'close')
    console.log(`${code === 0 ? 'passed' : 'FAILED'}  check:${name}`)
    return code === 0 ? [] : [`\ncheck:${name}\n${Buffer.concat(output)}`]
  }),
)
for (const output of failed.flat()) console.error(output)
process.exitCode = failed.flat().length > 0 ? 1 : 0
