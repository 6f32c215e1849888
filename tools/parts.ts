import { join } from 'node:path'
import { createServer, type InlineConfig, type Plugin } from 'vite'
import { createDemoEvent, startDemo } from './demo-event.ts'
import { root } from './is-stale.ts'

/*
 * `npm run parts`: shows the parts of both apps in each state, light and dark, until Ctrl-C. The build does not include
 * these pages, so they are not in the package and not served in production.
 */

/** Adds classes for states that otherwise need a pointer, a keyboard or another color scheme. */
const statesInStyle: Plugin = {
  name: 'states-in-style',
  enforce: 'pre',
  transform(code, id) {
    if (!id.split('?')[0]?.endsWith('.css')) return null
    return code
      .replaceAll(':focus-visible', ':is(:focus-visible, .state-focus)')
      .replaceAll(':hover', ':is(:hover, .state-hover)')
      .replace(/@media \(prefers-color-scheme: dark\) \{(.*?)\n\}/s, (_, rules: string) =>
        rules
          .replaceAll(':root {', ':root[data-tone="dark"] {\n color-scheme: dark;')
          .replace(/(\.theme-\w+) \{/g, ':root[data-tone="dark"]$1, :root[data-tone="dark"] $1 {'),
      )
  },
}

type PartsPage = { folder: string; path: string; theme: string }

/** `/` shows both tones side by side, `/?tone=dark` one of them. */
function partsPage({ folder, path, theme }: PartsPage): Plugin {
  return {
    name: 'parts-page',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost')
        if (url.pathname !== '/') return next()
        response.setHeader('content-type', 'text/html; charset=utf-8')
        const tone = url.searchParams.get('tone')
        if (tone === null) return response.end(bothTones)
        // The data that the apps read from their page.
        const html = await (await fetch(demo.url + path)).text()
        const data = /<script type="application\/json".*?<\/script>/s.exec(html)?.[0] ?? ''
        const styles = folder === 'gallery' ? ['tokens', 'gallery'] : []
        const links = styles.map((name) => `<script type="module">import '/assets/${name}.css'</script>`).join('')
        const start = `<script type="module" src="/${folder}/all-parts.tsx"></script>`
        const page = `<!doctype html><html lang="en" class="theme-${theme}" data-tone="${tone === 'dark' ? 'dark' : 'light'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parts</title><body>${data}
<div id="parts"></div>${links}${start}`
        response.end(await server.transformIndexHtml('/', page))
      })
    },
  }
}

const bothTones = `<!doctype html><title>Parts</title>
<style>body { display: grid; grid-template-columns: 1fr 1fr; height: 100vh; margin: 0 } iframe { width: 100%; height: 100%; border: 0 }</style>
<iframe src="/?tone=light"></iframe><iframe src="/?tone=dark"></iframe>`

const demo = await startDemo()
const { share_url } = await createDemoEvent(demo)
const apps = [
  { name: 'Admin app', folder: 'admin', path: '/admin', config: 'web/admin/vite.config.ts', theme: '' },
  {
    name: 'Gallery',
    folder: 'gallery',
    path: new URL(share_url).pathname,
    config: 'web/vite.config.ts',
    theme: 'linen',
  },
]

const servers = await Promise.all(
  apps.map(async (app) => {
    const config: InlineConfig = {
      configFile: join(root, app.config),
      base: '/',
      appType: 'custom',
      logLevel: 'warn',
      cacheDir: join(root, `node_modules/.cache/parts-${app.folder}`),
      // Any free port. Only this machine can open it.
      server: { host: '127.0.0.1', port: 0, fs: { allow: [root] } },
      plugins: [statesInStyle, partsPage(app)],
    }
    const server = await createServer(config)
    await server.listen()
    const address = server.httpServer?.address()
    console.log(`${app.name.padEnd(10)} http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
    return server
  }),
)
console.log('Ctrl-C ends this.')
process.once('SIGINT', async () => {
  await Promise.all(servers.map((server) => server.close()))
  await demo.stop()
  process.exit()
})
