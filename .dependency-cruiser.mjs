/**
 * The modules of the server by layer, lowest first. A module imports from lower layers only, not from its neighbors,
 * except in the highest layer.
 */
const layers = [
  ['platform'],
  ['access'],
  ['settings'],
  ['webhooks', 'archives'],
  ['events'],
  ['people', 'gallery-access'],
  ['feedback'],
  ['photos'],
  ['downloads', 'receiving', 'selections'],
  ['repair', 'exports', 'picpeak', 'backups'],
  ['dashboard', 'health', 'gallery'],
  [
    'migrations',
    'commands',
    'openapi',
    'app.ts',
    'public-api.ts',
    'create-app-context.ts',
    'registries.ts',
    'main.ts',
    'warm-up.ts',
  ],
]

/** The folders of both web apps, likewise. */
const webLayers = {
  'web/admin': [
    ['style', 'api'],
    ['app'],
    ['components'],
    ['account', 'events', 'webhooks'],
    ['health', 'uploads'],
    ['people', 'photos', 'settings'],
    ['feedback'],
    ['dashboard', 'selections'],
    ['frame', 'start.tsx', 'all-parts.tsx'],
  ],
  'web/gallery': [
    ['state'],
    ['parts'],
    ['cover', 'filters', 'marks', 'reveal', 'share'],
    ['threads'],
    ['comments', 'grid', 'guest'],
    ['selections', 'upload'],
    ['shortcuts'],
    ['compare'],
    ['versions'],
    ['download'],
    ['toolbar', 'viewer'],
    ['start.tsx', 'all-parts.tsx'],
  ],
}

const pathOf = (root, modules) => `^${root}/(${modules.map((name) => name.replace('.', '\\.')).join('|')})(/|$)`

const downwards = (root, layers) =>
  layers.flatMap((modules, index) =>
    modules.map((module) => {
      const above = layers.slice(index + 1).flat()
      const isTop = index === layers.length - 1
      const beside = isTop ? [] : modules.filter((other) => other !== module)
      return {
        name: `${root}/${module}-imports-downwards`,
        severity: 'error',
        // `serve` imports `main.ts`, which is in a higher layer, when it runs.
        from: { path: pathOf(root, [module]), pathNot: '^server/commands/serve\\.ts$' },
        to: { path: pathOf(root, [...above, ...beside, '.nothing']) },
      }
    }),
  )

const everyModuleHasALayer = (root, layers) => ({
  name: 'every-module-has-a-layer',
  severity: 'error',
  from: {},
  to: { path: `^${root}/`, pathNot: [pathOf(root, layers.flat()), `^${root}/(built|[^/]+\\.css)`] },
})

const layerRules = [['server', layers], ...Object.entries(webLayers)].flatMap(([root, layers]) => [
  ...downwards(root, layers),
  everyModuleHasALayer(root, layers),
])

/** Files that know requests, replies and forms: routes, guards, hooks, what reads a request and what writes a reply. */
const httpFiles = '[/-](api|guards?|hook|request|reply|replies|cookies)\\.ts$'

export default {
  forbidden: [
    ...layerRules,
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'http-at-the-edge',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: ['^server/(platform/(http|html)|openapi)/', '^server/(app|main)\\.ts$', httpFiles],
      },
      to: { path: ['node_modules/(fastify|@fastify)/', '^server/platform/http/'] },
    },
    {
      name: 'server-imports-no-tools',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(web|tools|tests|bench)/' },
    },
    {
      name: 'videos-are-opened-by-their-worker',
      severity: 'error',
      from: {
        pathNot:
          '^server/platform/media/(video/(video-worker|movie-file|avi-file|capture-frame)|heic/.+|decoder/(codec-config|decode-frames|draw-planes))\\.ts$',
      },
      to: {
        path: [
          'node_modules/(mediabunny|@node-webcodecs)/',
          '^server/platform/media/(video/(movie-file|avi-file|capture-frame|ffmpeg-frame)|heic/decode-heic|decoder/.+)\\.ts$',
        ],
      },
    },
    { name: 'web-apps-are-apart', severity: 'error', from: { path: '^web/gallery/' }, to: { path: '^web/admin/' } },
    { name: 'web-apps-are-apart', severity: 'error', from: { path: '^web/admin/' }, to: { path: '^web/gallery/' } },
    {
      name: 'shared-knows-no-app',
      severity: 'error',
      from: { path: '^web/shared/' },
      to: { path: '^web/(admin|gallery)/' },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(contract|locales|server|tools|web)/|^node:|^(buffer|fs|path|stream|crypto)$' },
    },
    {
      name: 'client-for-commands',
      severity: 'error',
      from: { path: '^(contract|locales|server|web)/', pathNot: '^server/commands/' },
      to: { path: '^clients/' },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web|locales)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'server/tsconfig.json' },
    exclude: { path: '\\.(test|suite)\\.tsx?$|/built/' },
    doNotFollow: { path: 'node_modules' },
  },
}
