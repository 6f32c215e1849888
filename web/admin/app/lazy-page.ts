import { lazyRouteComponent } from '@tanstack/react-router'
import { Unreachable } from '../api/api-error.ts'

/** A module could not be loaded. It is not requested again before the page is reloaded. */
export class ModuleLoadError extends Unreachable {}

/**
 * Loads a page at the first visit and shows a failure in its place. The automatic reload of the router would end
 * running uploads and fails without a connection.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause) => {
        throw new ModuleLoadError(undefined, { cause })
      }),
    name,
  )
