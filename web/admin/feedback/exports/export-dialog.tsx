import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ExportFormat } from '../../../../contract/exports.ts'
import { must } from '../../../../contract/must.ts'
import type { PickerFilter } from '../../../../contract/picker-modes.ts'
import { saveBlob } from '../../../shared/save-blob.ts'
import { language, translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { CheckField, SelectField } from '../../components/field.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import type { GuestNames } from '../guest-names.ts'
import type { Picks } from '../picks-query.ts'
import { roundsQuery } from '../rounds-query.ts'
import type { OtherSelections } from '../selections-query.ts'
import { areTooMany, ExistingSidecars } from './existing-sidecars.tsx'
import { storedOptions, storeOptions } from './export-options.ts'
import { type ExportSet, exportSets } from './export-sets.ts'
import {
  downloadExport,
  downloadMergedSidecars,
  type ExportFilters,
  useLastExport,
  useSharedNames,
} from './exports-query.ts'
import { SidecarFields } from './sidecar-fields.tsx'

const t = translator('feedback')
const formats = ['xmp', 'csv', 'list'] as const satisfies ExportFormat[]
const rawExtensionPattern = /^[A-Za-z0-9]{1,8}$/

type Props = {
  eventId: number
  pickFilter: PickerFilter
  picks: Picks
  otherSelections: OtherSelections
  names: GuestNames
  onClose: () => void
}

export function ExportDialog({ eventId, pickFilter, picks, otherSelections, names, onClose }: Props) {
  const [options, setOptions] = useState(storedOptions)
  const [setKey, setSetKey] = useState('shown')
  const [isSince, setSince] = useState(false)
  const [sidecars, setSidecars] = useState<File[]>([])
  const [hasOwn, setOwn] = useState(false)
  const { data: rounds = [] } = useQuery({ ...roundsQuery(eventId), enabled: picks.has_package })
  const sets = exportSets({ ...picks, ...otherSelections, rounds }, names, pickFilter)
  const set = must(sets.find(({ key }) => key === setKey) ?? sets[0], 'the chosen photos')
  const isMine = set.key === 'mine'
  const filters: ExportFilters = { ...set.filters, ...(hasOwn && !isMine && { mark_source: 'either' }) }
  const { last, changes } = useLastExport(eventId, filters)
  const changeOptions = (more: Partial<typeof options>) => setOptions({ ...options, ...more })
  const isXmp = options.format === 'xmp'
  const isRawInvalid = options.raw !== '' && !rawExtensionPattern.test(options.raw)

  const download = useMutation({
    mutationFn: () => {
      const query = {
        ...filters,
        ...(isSince && last && { since: last.id }),
        ...(isXmp && { label_language: options.labels, naming: options.naming, ...toHeartQuery(options.heart) }),
        ...(isXmp && options.naming === 'full' && options.raw && { raw_extension: options.raw }),
      }
      const { format } = options
      if (isXmp && sidecars.length > 0) {
        return downloadMergedSidecars(eventId, { ...query, language }, sidecars)
      }
      return downloadExport(eventId, { ...query, format, ...(format !== 'list' && { headers: language }) })
    },
    onSuccess: ({ body, name, photos, leftOut }) => {
      storeOptions(options)
      saveBlob(body, name)
      if (leftOut > 0) showNotice(t('leftOut', { count: leftOut }), { isWarning: true })
      else showNotice(t('saved', { count: photos }))
      onClose()
    },
  })
  const since = changes && changes.added.length + changes.changed.length + changes.removed.length

  return (
    <Dialog title={t('filesTitle')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submit) => {
          submit.preventDefault()
          if (!isRawInvalid && !(isXmp && areTooMany(sidecars))) download.mutate()
        }}
      >
        <SelectField label={t('whichPhotos')} value={setKey} onChange={({ target }) => setSetKey(target.value)}>
          {sets.map(({ key, optionLabel }) => (
            <option key={key} value={key}>
              {optionLabel}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('format')}
          help={t(`formatHelp_${options.format}`)}
          value={options.format}
          onChange={({ target }) => changeOptions({ format: target.value as ExportFormat })}
        >
          {formats.map((format) => (
            <option key={format} value={format}>
              {t(`format_${format}`)}
            </option>
          ))}
        </SelectField>
        {isXmp && <ExistingSidecars sidecars={sidecars} onSidecars={setSidecars} />}
        {isXmp && <SidecarFields options={options} onOption={changeOptions} isRawInvalid={isRawInvalid} />}
        {!isMine && (
          <CheckField
            label={t('withOwn')}
            help={describeMarks(set, names, hasOwn)}
            checked={hasOwn}
            onChange={({ target }) => setOwn(target.checked)}
          />
        )}
        {last && (
          <CheckField
            label={t('onlySince', { time: formatTime(last.created_at) })}
            help={since === undefined ? undefined : t('onlySinceHelp', { count: since })}
            checked={isSince}
            onChange={({ target }) => setSince(target.checked)}
          />
        )}
        <SharedNamesWarning eventId={eventId} />
        {download.error && (
          <p className="wrong" role="alert">
            {errorMessage(download.error)}
          </p>
        )}
        <Buttons isAtEnd>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" icon="download" isBusy={download.isPending}>
            {t('save')}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}

export function SharedNamesWarning({ eventId }: { eventId: number }) {
  const { count = 0, names = [] } = useSharedNames(eventId) ?? {}
  if (count === 0) return null
  const areAll = names.length < 5 || count === 5
  return (
    <p className="spaced-names">
      {t('sharedNames', { count, names: [...names, ...(areAll ? [] : ['…'])].join(', ') })}
    </p>
  )
}

function describeMarks({ guestId }: ExportSet, names: GuestNames, hasOwn: boolean): string {
  if (guestId === null) return t(hasOwn ? 'marksOfGuestsAndOwn' : 'marksOfGuests')
  return t(hasOwn ? 'marksOfGuestAndOwn' : 'marksOfGuest', { guest: names.of(guestId) })
}

const toHeartQuery = (heart: string) =>
  heart === '' ? {} : /^\d$/.test(heart) ? { unrated_as: Number(heart) } : { unlabeled_as: heart }
