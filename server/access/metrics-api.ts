import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type AccessContext, isApiToken } from './access.ts'
import { adminCookie, parseBearerToken } from './cookies.ts'
import { hasPermission } from './roles.ts'

/**
 * Metrics for Prometheus. Requires the permission `settings.view`, and an admin session or an API token of the scope
 * `admin`.
 */
export const metricsApi = (ctx: AccessContext) => async (app: Http) => {
  const { access } = ctx
  app.get('/metrics', async (request, reply) => {
    const token = parseBearerToken(request.headers.authorization) ?? request.cookies[adminCookie]
    if (!token) throw new AppError('NO_TOKEN')
    const { user, scope } = await (isApiToken(token) ? access.apiToken(token) : access.admin(token, 'cookie'))
    if (scope !== null && scope !== 'admin') {
      throw new AppError('INSUFFICIENT_SCOPE', { body: { required: 'admin', granted: scope } })
    }
    if (user.must_change_password === 1) throw new AppError('MUST_CHANGE_PASSWORD')
    if (!hasPermission(user.role, 'settings.view')) throw new AppError('FORBIDDEN')
    const { contentType, text } = await readMetrics(ctx)
    return reply.type(contentType).send(text)
  })
}

/** Gauges of the library with names of counters, which linters of metrics reject. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Imports the library at the first call, because an instance without Prometheus never needs it. */
export async function readMetrics({ gauges }: PlatformContext): Promise<{ contentType: string; text: string }> {
  const { default: prometheus } = await import('prom-client')
  const { register } = prometheus
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) {
    prometheus.collectDefaultMetrics()
    for (const name of misnamed) register.removeSingleMetric(name)
  }
  return { contentType: register.contentType, text: `${await register.metrics()}\n${await gauges.text()}` }
}
