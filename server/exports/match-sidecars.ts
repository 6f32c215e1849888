import { isSidecar, pairSidecars } from '../../contract/files/pair-sidecars.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'

/** Why a sidecar is not merged: it belongs to no photo of the export, or to several, or is there twice. */
export const matchProblems = ['noPhoto', 'severalPhotos', 'sameName'] as const
export type MatchProblem = (typeof matchProblems)[number]

export type MatchedSidecars<Photo, Sidecar> = {
  matched: Array<{ photo: Photo; sidecar: Sidecar }>
  unmatched: Array<{ sidecar: Sidecar; problem: MatchProblem }>
  /** Photos whose sidecar is in `unmatched`. */
  ambiguous: Set<Photo>
}

/** Matches by name only. What is ambiguous is not matched. Uploads of guests do not make another photo ambiguous. */
export function matchSidecars<
  Photo extends { sourceFilename: string; isOfGuest: boolean },
  Sidecar extends { clientName: string },
>(photos: readonly Photo[], sidecars: readonly Sidecar[]): MatchedSidecars<Photo, Sidecar> {
  const toKey = (name: string) => normalizeText(name).toLowerCase()
  const sameNames = Map.groupBy(sidecars, ({ clientName }) => toKey(clientName))
  const listed = [
    ...photos.map((photo) => ({ path: photo.sourceFilename, photo, sidecar: null })),
    ...sidecars.map((sidecar) => ({ path: sidecar.clientName, photo: null, sidecar })),
  ].filter(({ path, photo }) => photo === null || !isSidecar({ path }))
  const photosOf = Map.groupBy(pairSidecars<(typeof listed)[number]>(listed), ([, { sidecar }]) => sidecar)
  const result: MatchedSidecars<Photo, Sidecar> = { matched: [], unmatched: [], ambiguous: new Set() }
  for (const sidecar of sidecars) {
    const named = (photosOf.get(sidecar) ?? []).flatMap(([{ photo }]) => photo ?? [])
    const own = named.filter(({ isOfGuest }) => !isOfGuest)
    const found = own.length > 0 ? own : named
    const [photo, another] = found
    const isTwice = (sameNames.get(toKey(sidecar.clientName)) ?? []).length > 1
    const problem = isTwice ? 'sameName' : !photo ? 'noPhoto' : another ? 'severalPhotos' : null
    if (photo && problem === null) result.matched.push({ photo, sidecar })
    else if (problem !== null) {
      result.unmatched.push({ sidecar, problem })
      for (const one of found) result.ambiguous.add(one)
    }
  }
  return result
}
