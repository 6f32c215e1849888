import { openDialog } from '../parts/open-dialog.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { readerLocale, t } from '../state/page.ts'
import { chosen, found, newest, shown, versionSrcset } from './photo-versions.ts'
import type { Version } from './version-rules.ts'

const times = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' })

export function VersionList({ photoId, onClose }: { photoId: number; onClose: () => void }) {
  const last = newest.value
  const choose = ({ number }: Version) => {
    chosen.value = number === last?.number ? null : number
    onClose()
  }
  return (
    <Sheet title={t('versionList')} onClose={onClose}>
      <p class="quiet">{t('versionHoldHint')}</p>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore that a list without bullets is a list */}
      <ul class="version-list" role="list">
        {found.value?.versions.toReversed().map((version) => (
          <li key={version.number}>
            <p class="version-head">
              {t('versionNumber', { number: version.number })}
              <time dateTime={version.from_at}>{times.format(new Date(version.from_at))}</time>
            </p>
            {version.note && <bdi class="version-note">{version.note}</bdi>}
            <p class="row">
              <button
                class="button"
                type="button"
                aria-pressed={version === shown.value}
                onClick={() => choose(version)}
              >
                {t(version === shown.value ? 'versionShown' : 'versionShow', { number: version.number })}
              </button>
              {last && version !== last && (
                <button class="button" type="button" onClick={() => compare(photoId, [version, last], onClose)}>
                  {t('versionCompare', { number: last.number })}
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function compare(photoId: number, versions: readonly Version[], onClose: () => void): void {
  onClose()
  const photoIds = versions.map(() => photoId)
  const pictures = versions.map((version) => ({
    ...version,
    name: t('versionNumber', { number: version.number }),
    srcset: versionSrcset(photoId, version),
  }))
  void openDialog(async () => (await import('../compare/compare.tsx')).Compare, { photoIds, pictures })
}
