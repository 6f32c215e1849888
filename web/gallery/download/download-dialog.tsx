import './download-dialog.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { GalleryFilterQuery } from '../../../contract/gallery/gallery.ts'
import type { ZipOptions } from '../../../contract/gallery/gallery-downloads.ts'
import type { MessageKey } from '../../../locales/catalogs.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { formatSize } from '../../shared/format-units.ts'
import { Choice, ChoiceGroup } from '../parts/choices.tsx'
import { Icon } from '../parts/icon.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { getRouteUrl } from '../state/api.ts'
import { page, pickFilter, pickKind, t } from '../state/page.ts'
import { asked, categories, counts, outline } from '../state/photos.ts'
import { CameraRoll, hasCameraRoll } from './camera-roll.tsx'
import { type DownloadPart, getZipRoute, splitDownload } from './download-parts.ts'
import { isShowingPicks } from './is-showing-picks.ts'
import { type FoundEstimate, useEstimate } from './zip-estimate.ts'

export type DownloadTarget = { ids: readonly number[] } | { filters: GalleryFilterQuery }

type Chosen = 'all' | 'category' | 'picks'

/** Returns the category that the gallery shows, undefined if it shows several. */
function findShownCategory() {
  const { category_id } = asked.peek()
  return categories.peek().find(({ id }) => String(id) === category_id)
}

function createParts(target: DownloadTarget): DownloadPart[] {
  const shown = { ids: outline.peek().map(({ id }) => id), asked: asked.peek() }
  return 'ids' in target ? splitDownload(target.ids, shown) : [target]
}

export function DownloadDialog({ target, onClose }: { target: DownloadTarget; onClose: () => void }) {
  const pickCount = isEverything(target) && pickKind ? counts.peek()[pickFilter] : 0
  const shown = isEverything(target) ? findShownCategory() : undefined
  const [chosen, setChosen] = useState<Chosen>(() => {
    if (isEverything(target) && isShowingPicks()) return 'picks'
    return shown ? 'category' : 'all'
  })
  const onlyPicks = chosen === 'picks'
  const [width, setWidth] = useState<Width | null>(null)
  const [widths, setWidths] = useState<readonly number[]>([])
  const [hasStarted, setHasStarted] = useState(false)
  const picks = { filters: { filter: pickFilter } }
  const category = { filters: { category_id: String(shown?.id) } }
  const parts = useMemo(() => createParts({ all: target, category, picks }[chosen]), [target, chosen])
  const saved = { all: 'ids' in target ? target : null, category, picks }[chosen]
  const options = useMemo(() => createZipOptions(width), [width])
  return (
    <Sheet title={t('zipTitle')} onClose={onClose}>
      <div class="zip">
        {(pickCount > 0 || shown) && (
          <ChoiceGroup name={t('zipWhich')}>
            <Choice group="zip-photos" isOn={chosen === 'all'} onChoose={() => setChosen('all')}>
              {t('zipAll')}
            </Choice>
            {shown && (
              <Choice group="zip-photos" isOn={chosen === 'category'} onChoose={() => setChosen('category')}>
                {shown.name}
              </Choice>
            )}
            {pickCount > 0 && (
              <Choice group="zip-photos" isOn={onlyPicks} onChoose={() => setChosen('picks')}>
                {t('myPicks')} ({pickCount.toLocaleString(page.locale)})
              </Choice>
            )}
          </ChoiceGroup>
        )}
        {saved && hasCameraRoll() && <CameraRoll key={chosen} photos={saved} />}
        {widths.length > 0 && <SizeChoice widths={widths} width={width} onWidth={setWidth} />}
        {parts.length > 1 && <p class="zip-quiet">{t('zipInParts', { count: parts.length })}</p>}
        {parts.map((part, index) => (
          <ZipPart
            key={`${chosen} ${width} ${index}`}
            part={part}
            options={options}
            name={parts.length > 1 ? t('zipPart', { number: index + 1, total: parts.length }) : null}
            onStart={() => setHasStarted(true)}
            onWidths={(found) =>
              setWidths((before) => offeredWidths.filter((one) => [...before, ...found].includes(one)))
            }
          />
        ))}
        <p class="zip-quiet" role="status">
          {hasStarted ? t('zipBegun') : t('zipResumes')} {isAppleTouchDevice() && t('zipFiles')}
        </p>
      </div>
    </Sheet>
  )
}

/** From wide to narrow. The service accepts more. */
const offeredWidths = [2560, 1280] as const
type Width = (typeof offeredWidths)[number]
const widthTexts = { 2560: 'zipLarge', 1280: 'zipSmall' } as const satisfies Record<Width, MessageKey<'gallery'>>

type SizeProps = { widths: readonly number[]; width: Width | null; onWidth: (width: Width | null) => void }

const SizeChoice = ({ widths, width, onWidth }: SizeProps) => (
  <ChoiceGroup name={t('zipSize')}>
    <Choice group="zip-size" isOn={width === null} onChoose={() => onWidth(null)}>
      {t('zipFullSize')}
    </Choice>
    {offeredWidths
      .filter((one) => widths.includes(one))
      .map((one) => (
        <Choice key={one} group="zip-size" isOn={width === one} onChoose={() => onWidth(one)}>
          {t(widthTexts[one])}
        </Choice>
      ))}
  </ChoiceGroup>
)

const createZipOptions = (width: Width | null): ZipOptions => ({
  ...(width !== null && { w: `${width}` }),
  ...(categories.peek().length > 0 && { folders: 'category' }),
})

const isEverything = (target: DownloadTarget): boolean =>
  'filters' in target && Object.values(target.filters).every((value) => !value)

/** iPadOS reports itself as a Mac, but no Mac has a touchscreen. */
const isAppleTouchDevice = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

type PartProps = {
  part: DownloadPart
  options: ZipOptions
  name: string | null
  onStart: () => void
  onWidths: (widths: readonly number[]) => void
}

function ZipPart({ part, options, name, onStart, onWidths }: PartProps) {
  const { result, retry } = useEstimate(part, options)
  const widths = result && 'estimate' in result ? result.estimate.widths : null
  useEffect(() => {
    if (widths) onWidths(widths)
  }, [widths])
  return (
    <section class="zip-part" aria-busy={result === null}>
      {name && <h3>{name}</h3>}
      {result === null && <p class="zip-quiet">{t('zipAsking')}</p>}
      {result && 'problem' in result && (
        <>
          <p role="alert">{t(result.problem)}</p>
          {result.canRetry && (
            <button type="button" class="button" onClick={retry}>
              {t('tryAgain')}
            </button>
          )}
        </>
      )}
      {result && 'estimate' in result && <Estimate {...result} options={options} onStart={onStart} />}
    </section>
  )
}

type EstimateProps = FoundEstimate & Pick<PartProps, 'options' | 'onStart'>

function Estimate({ part, goneCount, estimate, options, onStart }: EstimateProps) {
  const { count, video_count: videoCount, bytes, ready, ready_count: readyCount, missing, withheld } = estimate
  const { path, query } = getZipRoute(part, 'zip', options)
  const size = formatSize(bytes, page.locale)
  return (
    <>
      <p class="zip-sum">
        {count === 0 ? t('zipNothing') : [formatPhotoCount(t, count, videoCount), ...(ready ? [size] : [])].join(', ')}
      </p>
      {goneCount > 0 && <p class="zip-quiet">{t('zipGone', { count: goneCount })}</p>}
      {withheld > 0 && <p class="zip-quiet">{t('zipWithheld', { count: withheld })}</p>}
      {missing > 0 && <p class="zip-quiet">{t('zipMissing', { count: missing })}</p>}
      {!ready && (
        <p class="zip-preparing">
          <progress value={readyCount} max={count} aria-label={t('zipPreparingName')} />
          <span role="status">{t('zipPreparing', { ready: readyCount, total: count })}</span>
        </p>
      )}
      {ready && count > 0 && (
        <a class="button primary" href={getRouteUrl(path, query)} download onClick={onStart}>
          <Icon name="download" />
          {t('zipDownload', { size })}
        </a>
      )}
    </>
  )
}
