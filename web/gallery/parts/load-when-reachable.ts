import { Unreachable } from '../../shared/api-error.ts'
import { isServiceReachable } from '../../shared/reload-page.ts'

/**
 * Returns a function that loads a module at its first call. Browsers remember that a module failed to load, so it is
 * only requested while the service responds; otherwise the function throws Unreachable, and the next call tries again.
 */
export function loadWhenReachable<Module>(request: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | null = null
  return () => {
    loading ??= requestWhenReachable(request).catch((error) => {
      loading = null
      throw error
    })
    return loading
  }
}

async function requestWhenReachable<Module>(request: () => Promise<Module>): Promise<Module> {
  if (!(await isServiceReachable())) throw new Unreachable()
  return request()
}
