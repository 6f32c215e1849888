import { isSameTime } from '../../../contract/files/capture-times.ts'
import { isPicture, isRaw, toNameKey } from './shots.ts'

export type MatchablePhoto = {
  id: number
  source_filename: string
  original_filename: string
  size_bytes: number
  content_hash: string
  captured_at: string | null
  uploaded_by: string
  /** Equal for equal marks; null without marks. */
  marks: string | null
}

/** What is known of a shot. The functions read files, so they are called only where an answer can decide. */
export type ShotFacts = {
  path: string
  nameKey: string
  /** Ids of photos of this event that its sidecars name. */
  identities: readonly number[]
  files: ReadonlyArray<{ sizeBytes: number; hash: () => Promise<string | null> }>
  /** Epoch milliseconds of each file that has a time. */
  captureTimes: () => Promise<readonly number[]>
}

export const matchReasons = ['identity', 'content', 'nameAndTime', 'name'] as const
export type MatchReason = (typeof matchReasons)[number]

export type Matches<Shot> = {
  matched: Array<{ shot: Shot; photoId: number; by: MatchReason }>
  /** Shots that may be several photos, or photos that may be several shots. */
  ambiguous: Array<{ shots: Shot[]; photoIds: number[] }>
  /** For a photo of a pair, the other one, with which its shot is matched. */
  partners: ReadonlyMap<number, number>
}

/**
 * Finds the photo of each shot: by the identity in a sidecar, by the content, by name and capture time, by the name
 * alone. Copies of one content are all matched. A name matches only one shot with one photo. A raw file and the picture of
 * the same shot are two photos: the shot is matched with the marked one. Uploads of guests, often copies of what they
 * downloaded, get only the shots that belong to no other photo.
 */
export async function matchShots<Shot extends ShotFacts>(
  allPhotos: readonly MatchablePhoto[],
  shots: readonly Shot[],
): Promise<Matches<Shot>> {
  const lists = [false, true].map((ofGuests) =>
    allPhotos.filter(({ uploaded_by }) => (uploaded_by === 'guest') === ofGuests),
  )
  const partners = new Map(lists.flatMap((photos) => [...findPartners(photos)]))
  const result: Matches<Shot> = { matched: [], ambiguous: [], partners }
  const withPartners = (ids: readonly number[]) => unique(ids.map((id) => partners.get(id) ?? id))
  const byId = new Map(allPhotos.filter(({ id }) => !partners.has(id)).map((photo) => [photo.id, photo]))
  const found = new Set<number>()
  let open = [...shots]
  const settle = (shot: Shot, photoIds: readonly number[], by: MatchReason): boolean => {
    const [photoId, another] = photoIds
    if (photoId === undefined) return false
    if (another === undefined) result.matched.push({ shot, photoId, by })
    else result.ambiguous.push({ shots: [shot], photoIds: [...photoIds] })
    for (const id of photoIds) found.add(id)
    return true
  }

  open = open.filter(
    (shot) =>
      !settle(
        shot,
        withPartners(shot.identities).filter((id) => byId.has(id)),
        'identity',
      ),
  )

  for (const photos of lists) {
    const bySize = Map.groupBy(photos, ({ size_bytes }) => size_bytes)
    const withoutContent: Shot[] = []
    for (const shot of open) {
      const ids = withPartners(await findByContent(shot, bySize))
      // Two photos of one content are distinguished by their names.
      const named = ids.filter((id) => namesOf(byId.get(id)).includes(shot.nameKey))
      if (!settle(shot, ids.length > 1 && named.length === 1 ? named : ids, 'content')) withoutContent.push(shot)
    }

    const photosByName = groupByName(photos.filter(({ id }) => byId.has(id) && !found.has(id)))
    open = []
    for (const [nameKey, named] of Map.groupBy(withoutContent, ({ nameKey }) => nameKey)) {
      open.push(...(await matchByName(named, photosByName.get(nameKey) ?? [], result)))
    }
  }
  return result
}

/**
 * A pair is one raw file and one picture with the same name and capture time. If both photos have marks and these
 * differ, neither can replace the other.
 */
function findPartners(photos: readonly MatchablePhoto[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>()
  const sameShot = Map.groupBy(
    photos,
    ({ source_filename, captured_at }) => `${captured_at} ${toNameKey(source_filename)}`,
  )
  for (const [first, second, third] of sameShot.values()) {
    if (!first || !second || third || first.captured_at === null) continue
    const [raw, picture] = isRaw(first.source_filename) ? [first, second] : [second, first]
    if (!isRaw(raw.source_filename) || !isPicture(picture.source_filename)) continue
    if (raw.marks === null || raw.marks === picture.marks) partners.set(raw.id, picture.id)
    else if (picture.marks === null) partners.set(picture.id, raw.id)
  }
  return partners
}

async function findByContent({ files }: ShotFacts, bySize: ReadonlyMap<number, MatchablePhoto[]>): Promise<number[]> {
  const ids: number[] = []
  for (const { sizeBytes, hash } of files) {
    const candidates = bySize.get(sizeBytes) ?? []
    if (candidates.length === 0) continue
    const content = await hash()
    ids.push(...candidates.filter(({ content_hash }) => content_hash === content).map(({ id }) => id))
  }
  return unique(ids)
}

/** The shots and photos have one name. Those with equal times belong together if they are the only ones. Returns the other shots. */
async function matchByName<Shot extends ShotFacts>(
  shots: readonly Shot[],
  photos: readonly MatchablePhoto[],
  result: Matches<Shot>,
): Promise<Shot[]> {
  if (photos.length === 0) return [...shots]
  const times = new Map<Shot, readonly number[]>()
  for (const shot of shots) times.set(shot, await shot.captureTimes())
  const timeOf = ({ captured_at }: MatchablePhoto) => (captured_at === null ? null : Date.parse(captured_at))
  const hasTime = (shot: Shot, photo: MatchablePhoto) =>
    (times.get(shot) ?? []).some((time) => isSameTime(time, timeOf(photo)))
  const isOtherTime = (shot: Shot, photo: MatchablePhoto) =>
    timeOf(photo) !== null && (times.get(shot) ?? []).length > 0 && !hasTime(shot, photo)

  const open = { shots: [...shots], photos: [...photos] }
  for (const [by, fits] of [
    ['nameAndTime', hasTime],
    ['name', (shot: Shot, photo: MatchablePhoto) => !isOtherTime(shot, photo)],
  ] as const) {
    for (const shot of [...open.shots]) {
      const fitting = open.photos.filter((photo) => fits(shot, photo))
      const [photo] = fitting
      if (photo === undefined) continue
      const rivals = open.shots.filter((other) => fitting.some((one) => fits(other, one)))
      if (fitting.length === 1 && rivals.length === 1) result.matched.push({ shot, photoId: photo.id, by })
      else result.ambiguous.push({ shots: rivals, photoIds: fitting.map(({ id }) => id) })
      open.shots = open.shots.filter((other) => !rivals.includes(other))
      open.photos = open.photos.filter((one) => !fitting.includes(one))
    }
  }
  return open.shots
}

/** A replaced photo has two names. */
const namesOf = (photo: MatchablePhoto | undefined): string[] =>
  photo ? unique([toNameKey(photo.source_filename), toNameKey(photo.original_filename)]) : []

function groupByName(photos: readonly MatchablePhoto[]): Map<string, MatchablePhoto[]> {
  const groups = new Map<string, MatchablePhoto[]>()
  for (const photo of photos) {
    for (const name of namesOf(photo)) groups.set(name, [...(groups.get(name) ?? []), photo])
  }
  return groups
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
