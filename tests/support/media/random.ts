export type Random = (limit: number) => number

/** Returns a function for pseudo-random integers from 0 to below `limit`. The seed is from 1 to 2,147,483,646. */
export function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
