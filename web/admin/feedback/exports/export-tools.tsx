import './export.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PickerFilter } from '../../../../contract/picker-modes.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons, IconButton } from '../../components/button.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { formatTime } from '../../components/format-time.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { showNotice } from '../../components/notices.tsx'
import type { GuestNames } from '../guest-names.ts'
import { createExportFilters, filterPicks } from '../picks-choice.ts'
import type { Picks } from '../picks-query.ts'
import { copyWhenReady } from './copy-when-ready.ts'
import { ExportDialog } from './export-dialog.tsx'
import { type Program, programNames, programs, storedProgram, storeProgram } from './export-programs.ts'
import { changesQuery, downloadExport, exportsQuery, findLastExport } from './exports-query.ts'

const t = translator('proofing')

type Props = { eventId: number; pickFilter: PickerFilter; picks: Picks; names: GuestNames }

export function ExportTools({ eventId, pickFilter, picks, names }: Props) {
  const [program, setProgram] = useState(storedProgram)
  const [isOpen, setOpen] = useState(false)
  const [isHelped, setHelped] = useState(false)
  const filters = createExportFilters(pickFilter)
  const chosen = filterPicks(picks.photos, pickFilter)
  const isNone = chosen.length === 0
  // Programs with space as the separator cannot search for file names that contain spaces.
  const isOneLine = programs[program].separator === 'space'
  const spaced = isOneLine ? chosen.filter(({ source_filename }) => /\s/.test(source_filename)).length : 0
  const copy = useMutation({
    mutationFn: async (of: Program) => {
      const { separator } = programs[of]
      const exported = downloadExport(eventId, { format: 'list', separator, ...filters })
      const isCopied = await copyWhenReady(exported.then(({ body }) => body.text()))
      return { isCopied, count: (await exported).photos }
    },
    onSuccess: ({ isCopied, count: copied }) => {
      if (!isCopied) return showNotice(t('notCopied'), { isAlarm: true })
      setHelped(true)
      showNotice(t('listCopied', { count: copied }))
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  const copyFor = (of: Program) => {
    setProgram(of)
    storeProgram(of)
    copy.mutate(of)
  }
  return (
    <>
      <Buttons>
        <div className="split-button">
          <Button kind="primary" icon="copy" isBusy={copy.isPending} disabled={isNone} onClick={() => copyFor(program)}>
            {t(`copyFor_${program}`)}
          </Button>
          <Menu trigger={<IconButton icon="down" className="split-more" label={t('copyForOther')} />}>
            {programNames.map((name) => (
              <MenuItem key={name} icon="copy" isDisabled={isNone} onSelect={() => copyFor(name)}>
                {t(`copyFor_${name}`)}
              </MenuItem>
            ))}
          </Menu>
        </div>
        <Button icon="download" onClick={() => setOpen(true)}>
          {t('files')}
        </Button>
      </Buttons>
      {spaced > 0 && <p className="spaced-names">{t('namesWithSpaces', { count: spaced })}</p>}
      <LastExport eventId={eventId} pickFilter={pickFilter} />
      <details className="export-help" open={isHelped} onToggle={(toggle) => setHelped(toggle.currentTarget.open)}>
        <summary>{t(`helpTitle_${program}`)}</summary>
        <p>{t(`help_${program}`)}</p>
      </details>
      {isOpen && (
        <ExportDialog
          eventId={eventId}
          pickFilter={pickFilter}
          picks={picks}
          names={names}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function LastExport({ eventId, pickFilter }: { eventId: number; pickFilter: PickerFilter }) {
  const { data: exports = [] } = useQuery(exportsQuery(eventId))
  const last = findLastExport(exports, createExportFilters(pickFilter))
  const { data: changes } = useQuery({ ...changesQuery(eventId, last?.id ?? 0), enabled: last !== undefined })
  if (!last) return null
  const words = changes
    ? [
        changes.added.length > 0 && t('added', { count: changes.added.length }),
        changes.changed.length > 0 && t('changed', { count: changes.changed.length }),
        changes.removed.length > 0 && t('removed', { count: changes.removed.length }),
      ].filter(Boolean)
    : null
  return (
    <p className="last-export">
      {t('lastExport', { time: formatTime(last.created_at), count: last.photo_count })}{' '}
      {words && <strong>{words.length > 0 ? t('since', { changes: words.join(', ') }) : t('nothingSince')}</strong>}
    </p>
  )
}
