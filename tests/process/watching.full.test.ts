import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../architecture/source-files.ts'
import { createClient } from '../support/clients/test-client.ts'
import { requireOrSkip, requireProgram } from '../support/run/requirements.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { folderForFile } from '../support/storage/folder-for-file.ts'

const addresses = ['203.0.113.7', '2001:db8::7', '203.0.113.8', '203.0.113.9', '203.0.113.10']
const dataDir = await folderForFile()
let service: ServiceProcess
let metrics: string

beforeAll(async () => {
  const metricsPort = await reservePort()
  const environment = { METRICS_PORT: String(metricsPort), TRUST_PROXY: '1' }
  service = await startByNode({ dataDir, environment })
  const { post, call, get } = createClient(service.url)
  const from = (index: number) => ({ 'x-forwarded-for': addresses[index] ?? '', 'x-request-id': 'a-client.id' })
  const account = { username: '","address":"198.51.100.1', password: 'wrong' }
  await post('/api/auth/admin/login', account, from(0))
  await post('/api/auth/admin/login', account, from(1))
  await post('/api/auth/gallery/verify', { slug: 'nothing', password: 'wrong' }, from(2))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await call('POST', '/gallery/nothing/enter', { headers: { ...form, ...from(3) }, body: 'password=wrong' })
  await post('/api/customer/auth/login', { email: 'nobody@example.com', password: 'wrong' }, from(4))
  for (const path of ['/api/nowhere', '/api/elsewhere', '/gallery/a/b', '/gallery/c/d']) await get(path)
  await call('PROPFIND', '/api/nowhere')
  metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  await service.end('SIGTERM')
})

test('promtool accepts the metrics and the alerts', ({ skip }) => {
  requireOrSkip(skip, [requireProgram('promtool')])
  const check = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', ...args], { input })
    return { status, output: `${stdout}${stderr}` }
  }
  expect(check(['metrics'], metrics)).toEqual({ status: 0, output: '' })
  expect(check(['rules', join(root, 'deploy/prometheus/proofroom.rules.yml')]).status).toBe(0)
})

test('requests are counted by route pattern, never by path or by an invented method', () => {
  const counts = Object.fromEntries(
    [...metrics.matchAll(/^proofroom_http_requests_total\{(.*)\} (\d+)$/gm)].map(([, labels, count]) => [
      labels,
      Number(count),
    ]),
  )
  expect(counts).toMatchObject({
    'method="POST",route="/api/auth/admin/login",status="401"': 2,
    'method="POST",route="/gallery/:slug/enter",status="401"': 1,
    'method="GET",route="unknown",status="404"': 2,
    'method="other",route="unknown",status="404"': 1,
    'method="GET",route="/gallery/:slug/:share_token",status="404"': 2,
  })
  expect(metrics).toMatch(/^proofroom_http_request_duration_seconds_count\{method="GET",route="unknown"\} 2$/m)
  expect(metrics).toMatch(/^proofroom_database_commit_duration_seconds_bucket\{le="30"\} [1-9]/m)
  for (const line of [
    'image_jobs_waiting{queue="thumbnail"} 0',
    'image_jobs_running 0',
    'videos{state="processing"} 0',
    'mails{state="queued"} 0',
    'webhook_deliveries_pending 0',
  ]) {
    expect(metrics).toContain(`\nproofroom_${line}\n`)
  }
  expect(metrics).toMatch(/^proofroom_disk_free_bytes [1-9]/m)
})

test('the dashboard and the alerts use metrics and labels that exist', () => {
  const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
  for (const file of ['grafana/proofroom.json', 'prometheus/proofroom.rules.yml']) {
    const names = new Set(read(file).match(/\b(proofroom|nodejs|process)_[a-z0-9_]+(?=[{[\s)>,*])/g))
    expect(names.size).toBeGreaterThan(10)
    const missing = [...names].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(metrics))
    expect(missing, file).toEqual([])
  }
})

test('fail2ban finds the address of every failed sign-in in the log, and no address that a client invents', async ({
  skip,
}) => {
  requireOrSkip(skip, [requireProgram('fail2ban-regex')])
  const filter = join(root, 'deploy/fail2ban/filter.d/proofroom.conf')
  const log = join(await temporaryFolder(), 'proofroom.log')
  const find = (options: string[]) =>
    spawnSync('fail2ban-regex', [...options, '--out', 'ip', log, filter])
      .stdout.toString()
      .trim()
      .split('\n')
  await writeFile(log, service.output())
  expect(find([])).toEqual(addresses)
  // As in the journal of systemd, where the date is not part of the line.
  await writeFile(log, service.output().replace(/^/gm, 'photos proofroom[812]: '))
  expect(find(['--datepattern', '^'])).toEqual(addresses)
})
