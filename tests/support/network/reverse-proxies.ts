import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { readBlock } from '../docs/snippets.ts'
import { reservePort } from '../run/reserved-port.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { certificate, certificateKey } from './tls-certificate.ts'

const deployed = join(import.meta.dirname, '../../../deploy')

/**
 * Writes the nginx file of `deploy/`, with the line for HSTS of the page about proxies, into a complete configuration without
 * IPv6. Returns the arguments and the port of nginx.
 */
export async function writeNginxConfig(nodes: Node[], tls: 'tls' | 'plain'): Promise<NginxSite> {
  const folder = await temporaryFolder()
  const [redirectPort, port] = [await reservePort(), await reservePort()]
  await writeFile(join(folder, 'fullchain.pem'), certificate)
  await writeFile(join(folder, 'privkey.pem'), certificateKey)
  const site = readFileSync(join(deployed, 'nginx.conf'), 'utf8')
    .replaceAll('/etc/ssl/photos.example.com', folder)
    .replace(/^\s+listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${redirectPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('location / {', `${readBlock('hsts-nginx')}  location / {`)
    .replace(
      'server 127.0.0.1:3000;',
      listHosts(nodes)
        .map((host) => `server ${host};`)
        .join(' '),
    )
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const mainConfig = `daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
    http { access_log off; ${scratch.join(' ')} include site.conf; }`
  const plain = site.replace(' ssl http2', '').replace(/^\s+ssl_.*$/gm, '')
  await writeFile(join(folder, 'site.conf'), tls === 'tls' ? site : plain)
  await writeFile(join(folder, 'nginx.conf'), mainConfig)
  return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')], port }
}

type NginxSite = { args: string[]; port: number }

type Node = { url: string }

const listHosts = (nodes: Node[]): string[] => nodes.map(({ url }) => new URL(url).host)

/** Starts nginx with its file of `deploy/`, but without TLS, and returns its address. It stops when the test ends. */
export async function startNginx(...nodes: Node[]): Promise<string> {
  const { args, port } = await writeNginxConfig(nodes, 'plain')
  return startProxy('nginx', args, `http://127.0.0.1:${port}`)
}

/** Starts Caddy with its file of `deploy/`, but without TLS, and returns its address. It stops when the test ends. */
export async function startCaddy(...nodes: Node[]): Promise<string> {
  const url = `http://127.0.0.1:${await reservePort()}`
  const folder = await temporaryFolder()
  // Turns off the administration API of Caddy, which would need another port.
  const site = readFileSync(join(deployed, 'Caddyfile'), 'utf8')
  const file = `{\n admin off\n}\n${site.replace('\treverse_proxy', `${readBlock('hsts-caddy')}\treverse_proxy`)}`
  await writeFile(join(folder, 'Caddyfile'), file)
  const environment = { DOMAIN: url, NODES: listHosts(nodes).join(' '), HOME: folder }
  return startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], url, environment)
}

/** The modules that the page about proxies enables, and those that Debian enables. */
const apacheModules = 'mpm_event authz_core env reqtimeout proxy proxy_http ssl headers http2 socache_shmcb'.split(' ')

/** Starts Apache with its file of `deploy/`, as one process without TLS, and returns its address. It stops when the test ends. */
export async function startApache(node: Node): Promise<string> {
  const folder = await temporaryFolder()
  const port = await reservePort()
  const site = readFileSync(join(deployed, 'apache.conf'), 'utf8')
    .replace(/<VirtualHost \*:80>.*?<\/VirtualHost>/s, '')
    .replace('*:443', `127.0.0.1:${port}`)
    .replace(/^\s+SSL.*$/gm, '')
    .replace('</VirtualHost>', `${readBlock('hsts-apache')}</VirtualHost>`)
    .replace('http://127.0.0.1:3000/', `${node.url}/`)
  const modules = apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  // Apache does not serve as root, and then needs a folder that another user can read.
  const user = process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []
  const lines = [
    ...modules,
    ...user,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    `PidFile ${folder}/apache.pid`,
  ]
  const logs = ['ErrorLog /dev/stderr', 'Mutex pthread', `DefaultRuntimeDir ${folder}`]
  await writeFile(join(folder, 'apache2.conf'), [...lines, ...logs, site].join('\n'))
  const args = ['-X', '-d', folder, '-f', join(folder, 'apache2.conf')]
  return startProxy('apache2', args, `http://127.0.0.1:${port}`)
}

async function startProxy(program: string, args: string[], url: string, environment = {}): Promise<string> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...environment } })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const { port } = new URL(url)
  await expect.poll(() => isListening(Number(port))).toBe(true)
  return url
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
