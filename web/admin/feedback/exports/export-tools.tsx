import { readStored, writeStored } from '../../../shared/browser-storage.ts'
import './export.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { copyText } from '../../../shared/copy-text.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons, IconButton } from '../../components/button.tsx'
import { formatNumber, formatTime } from '../../components/format-time.ts'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { createExportFilters, filterPicks } from '../picks-choice.ts'
import { roundsQuery } from '../rounds-query.ts'
import { ExportDialog, SharedNamesWarning } from './export-dialog.tsx'
import { exportSets } from './export-sets.ts'
import { downloadExport, type ExportFilters, useLastExport } from './exports-query.ts'

const t = translator('feedback')

/** The separator between file names in the search field of each program. */
const separators = { lightroom: 'space', captureOne: 'newline', photoMechanic: 'space', plain: 'newline' } as const
type Program = keyof typeof separators
const programs = Object.keys(separators) as Program[]

const storageKey = 'proofroom-list-for'

function storedProgram(): Program {
  const stored = readStored('localStorage', storageKey)
  return programs.find((name) => name === stored) ?? 'lightroom'
}

type Props = Omit<ComponentProps<typeof ExportDialog>, 'onClose'>

export function ExportTools(props: Props) {
  const { eventId, pickFilter, picks, otherSelections, names } = props
  const [program, setProgram] = useState(storedProgram)
  const [isOpen, setOpen] = useState(false)
  const [isHelped, setHelped] = useState(false)
  const filters = createExportFilters(pickFilter)
  const chosen = filterPicks(picks.photos, pickFilter)
  const isNone = chosen.length === 0
  // If spaces separate the names, programs cannot search for names that contain spaces.
  const isOneLine = separators[program] === 'space'
  const spaced = isOneLine ? chosen.filter(({ source_filename }) => /\s/.test(source_filename)).length : 0
  const { data: rounds = [] } = useQuery({ ...roundsQuery(eventId), enabled: picks.has_package })
  const sets = exportSets({ ...picks, ...otherSelections, rounds }, names, pickFilter)
  const locked = sets.filter(({ isLocked }) => isLocked)
  const copy = useMutation({
    mutationFn: async ({ of, filters }: { of: Program; filters: ExportFilters }) => {
      const exported = downloadExport(eventId, { format: 'list', separator: separators[of], ...filters })
      const isCopied = await copyWhenReady(exported.then(({ body }) => body.text()))
      return { isCopied, count: (await exported).photos }
    },
    onSuccess: ({ isCopied, count }) => {
      if (!isCopied) return showNotice(t('notCopied'), { isAlarm: true })
      setHelped(true)
      showNotice(t('listCopied', { count }))
    },
    onError: showError,
  })
  const copyFor = (of: Program) => {
    setProgram(of)
    writeStored('localStorage', storageKey, of)
    copy.mutate({ of, filters })
  }
  const copyName = t(`copyFor_${program}`)
  const isMixed = locked.length > 0 && new Set(chosen.flatMap(({ picked_by }) => picked_by)).size > 1
  const isAll = pickFilter.guestIds.length === 0 && pickFilter.minPickers === 1
  return (
    <>
      <Buttons>
        <div className="split-button">
          <Button kind="primary" icon="copy" isBusy={copy.isPending} disabled={isNone} onClick={() => copyFor(program)}>
            {isMixed && pickFilter.guestIds.length !== 1
              ? t(isAll ? 'copyOfAll' : 'copyOfSeveral', { copy: copyName, count: formatNumber(chosen.length) })
              : copyName}
          </Button>
          <Menu trigger={<IconButton icon="down" className="split-more" label={t('copyForOther')} />}>
            {locked.map(({ key, optionLabel, filters }) => (
              <MenuItem key={key} icon="lock" onSelect={() => copy.mutate({ of: program, filters })}>
                {optionLabel}
              </MenuItem>
            ))}
            {locked.length > 0 && <MenuSeparator />}
            {programs.map((name) => (
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
      {isNone || <SharedNamesWarning eventId={eventId} />}
      <LastExport eventId={eventId} filters={filters} />
      <details className="export-help" open={isHelped} onToggle={(toggle) => setHelped(toggle.currentTarget.open)}>
        <summary>{t(`helpTitle_${program}`)}</summary>
        <p>{t(`help_${program}`)}</p>
      </details>
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Gives the clipboard a promise, because Safari allows copying only during a click. Rejects if `text` rejects. */
async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write) {
    try {
      const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      return true
    } catch {
      // For example, the browser does not accept a promise here, or `text` was rejected.
    }
  }
  return copyText(await text)
}

function LastExport({ eventId, filters }: { eventId: number; filters: ExportFilters }) {
  const { last, changes } = useLastExport(eventId, filters)
  if (!last) return null
  const words =
    changes &&
    (['added', 'changed', 'removed'] as const)
      .filter((kind) => changes[kind].length > 0)
      .map((kind) => t(kind, { count: changes[kind].length }))
  return (
    <p className="last-export">
      {t('lastExport', { time: formatTime(last.created_at), count: last.photo_count })}{' '}
      {words && <strong>{words.length > 0 ? t('since', { changes: words.join(', ') }) : t('nothingSince')}</strong>}
    </p>
  )
}
