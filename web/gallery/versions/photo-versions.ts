import { computed, signal } from '@preact/signals'
import { pictureWidths } from '../../../contract/gallery/gallery-tiles.ts'
import type { GuestVersions } from '../../../contract/gallery/versions.ts'
import { call, getRouteUrl } from '../state/api.ts'
import { t } from '../state/page.ts'
import { versionHooks } from '../threads/version-hooks.ts'
import { findHeld, isDrawnOn, isPictureOld, type Version } from './version-rules.ts'

let viewedId: number | null = null

/** The versions of the photo in the viewer. Null until they are loaded. */
export const found = signal<GuestVersions | null>(null)
/** The number of the earlier version that the guest has chosen to see. Null for the newest one. */
export const chosen = signal<number | null>(null)
/** Whether the guest holds the button or the key that shows the version before. */
export const isHeld = signal(false)

export const newest = computed(() => found.value?.versions.at(-1))
export const shown = computed(() => {
  const list = found.value?.versions ?? []
  const version = list.find(({ number }) => number === chosen.value) ?? newest.value
  return version && isHeld.value ? findHeld(list, version) : version
})

versionHooks.value = {
  isDrawn: ({ version }) => shown.value !== undefined && isDrawnOn(found.value?.versions ?? [], version, shown.value),
  describeOrigin: ({ version }) =>
    newest.value && version < newest.value.number ? t('versionOrigin', { number: version }) : null,
}

export function setViewedPhoto(photoId: number): void {
  viewedId = photoId
  found.value = null
  showNewest()
}

export function showNewest(): void {
  chosen.value = null
  isHeld.value = false
}

type NewPicture = Pick<Version, 'width' | 'height'> & { src: string; srcset: string }
let replacePicture: (photoId: number, picture: NewPicture) => void

/** Sets what happens if the viewer may have loaded the picture of an earlier version. */
export function onNewPicture(listener: typeof replacePicture): void {
  replacePicture = listener
}

/** Throws ApiError or Unreachable. */
export async function loadVersions(photoId: number): Promise<void> {
  show(photoId, await call<typeof GuestVersions>(`/photos/${photoId}/versions`))
}

/** The numbers of the newest versions that the page knows. */
const known = new Map<number, number>()

/** Takes the versions that the service returned for a photo. */
export function show(photoId: number, loaded: GuestVersions): void {
  if (photoId !== viewedId) return
  found.value = loaded
  const version = newest.peek()
  if (!version) return
  if (isPictureOld(version, known.get(photoId), performance.timeOrigin)) {
    const { width, height } = version
    const src = picturePath(photoId, version, 1280)
    replacePicture(photoId, { width, height, src, srcset: versionSrcset(photoId, version) })
  }
  known.set(photoId, version.number)
}

const picturePath = (photoId: number, { number }: Version, width: number): string =>
  getRouteUrl(`/photo/${photoId}`, { version: String(number), w: String(width) })

export function versionSrcset(photoId: number, version: Version): string {
  const fullWidth = version.width ?? pictureWidths[0]
  return pictureWidths
    .filter((_, index) => fullWidth > (pictureWidths[index - 1] ?? 0))
    .map((width) => `${picturePath(photoId, version, width)} ${Math.min(width, fullWidth)}w`)
    .join(', ')
}
