import { lazyRouteComponent } from '@tanstack/react-router'
import { Unreachable } from '../api/api-error.ts'

/** A part of the desk did not come. It is not asked for again before the page is loaded anew. */
export class PartMissing extends Unreachable {}

/**
 * A page that is loaded when somebody first goes there. Where it does not come that is said in its place: the desk does
 * not load itself anew unasked, which without a line would end it, uploads and all.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause) => {
        throw new PartMissing(undefined, { cause })
      }),
    name,
  )
