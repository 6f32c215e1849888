import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { reservePort } from '../../../tests/support/run/reserved-port.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { readConfig } from '../../platform/configuration/config.ts'
import { lockForService } from '../../platform/process/service-lock.ts'
import { checkPublicAddress } from './check-public-address.ts'
import { nothingEntered } from './entered-values.ts'

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const listenAs = (id: string, body = '{"status":"ok"}') =>
  listen((_request, response) => void response.setHeader('x-request-id', id).end(body))

const localOnly = 'which works only on this computer'

test('tells this service from another one, a redirect and silence, and names an address that is local only', async () => {
  const dataDir = await temporaryFolder()
  const check = (PUBLIC_URL: string) => checkPublicAddress(readConfig({ DATA_DIR: dataDir, PUBLIC_URL }), null, null)
  const own = await listenAs('0a1b2c3d-4f')
  const stopped = await check(own)
  expect(stopped).toMatchObject({ severity: 'warning', text: expect.stringContaining('no service runs here') })

  const lock = lockForService(dataDir)
  onTestFinished(() => lock?.release())
  lock?.announce(own)
  expect(await check(own)).toMatchObject({
    severity: 'warning',
    text: `This service answers at ${own} (PUBLIC_URL), ${localOnly}`,
    fix: expect.stringContaining('docs/operating/reachable.md'),
  })
  const other = await listenAs('ffffffff-4f')
  expect((await check(other)).text).toBe(
    `Proofroom answers at ${other} (PUBLIC_URL), ${localOnly}, but it is another instance`,
  )
  expect((await check(await listenAs('a-proxy-has-set-it'))).text).toContain('may be another instance')

  const asked: Array<string | undefined> = []
  const elsewhere = await listen(({ url }, response) => {
    asked.push(url)
    response.end()
  })
  const leading = await listen(
    (_request, response) => void response.writeHead(302, { location: `${elsewhere}/login?next=secret` }).end(),
  )
  expect((await check(leading)).text).toBe(
    `${leading}/health/live (PUBLIC_URL) leads to ${elsewhere}, and not to Proofroom`,
  )
  expect(asked).toEqual([])
  for (const body of ['<html>', `{"status":"ok"}${' '.repeat(5000)}`]) {
    expect((await check(await listenAs('0a1b2c3d-5', body))).text).toContain('returns 200, and not the answer')
  }
  const silent = `http://127.0.0.1:${await reservePort()}`
  expect((await check(silent)).text).toContain(
    `${silent} (PUBLIC_URL), ${localOnly}, cannot be reached from here: connect ECONNREFUSED`,
  )
  expect((await check('https://photos.invalid')).text).toMatch(
    /^https:\/\/photos\.invalid \(PUBLIC_URL\) cannot be reached from here: \S/,
  )
  expect((await check('http://nas.invalid.internal')).text).toContain('which works only in your network, cannot be')
})

test('without a public address, the one of the last sign-in counts, if guests can reach it', async () => {
  const config = readConfig({ DATA_DIR: await temporaryFolder(), PORT: '3000' })
  const nothing = await checkPublicAddress(config, nothingEntered, null)
  expect(nothing).toMatchObject({ severity: 'ok', text: expect.stringContaining('http://localhost:3000, which works') })
  const here = await checkPublicAddress(config, { ...nothingEntered, origin: 'http://127.0.0.1:4000' }, null)
  expect(here).toMatchObject({ severity: 'ok', text: expect.stringContaining('http://127.0.0.1:4000, which works') })
  const guests = await checkPublicAddress(config, { ...nothingEntered, origin: 'https://photos.invalid' }, null)
  expect(guests.text).toContain('https://photos.invalid (of the last sign-in of a super admin) cannot be reached')
})
