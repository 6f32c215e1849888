import '../../shared/key-list.css'
import type { MessageKey } from '../../../locales/catalogs.ts'
import { Sheet } from '../parts/sheet.tsx'
import { page, t } from '../state/page.ts'
import { areShortcutsOn, setShortcutsOn } from '../state/shortcuts.ts'
import { shortcuts } from './shortcut-table.ts'

/** The part that shows versions handles its own key. */
const versionKey = { keys: { v: null }, text: 'versionHoldKey', isAlwaysOn: false } as const
const listed = page.feedback.keep_versions ? [...shortcuts, versionKey] : shortcuts

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title={t('keyHelp')} onClose={onClose}>
      <label class="switch">
        <input
          type="checkbox"
          checked={areShortcutsOn.value}
          onChange={({ currentTarget }) => setShortcutsOn(currentTarget.checked)}
        />
        {t('shortcutsOn')}
      </label>
      <dl class="keys">
        {listed.map(({ keys, text, isAlwaysOn }) => (
          <div key={text} class={areShortcutsOn.value || isAlwaysOn ? '' : 'off'}>
            <dt>
              {getKeyLabels(Object.keys(keys)).map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}

const keyMessages: Record<string, MessageKey<'gallery'>> = {
  ArrowLeft: 'keyLeft',
  ArrowRight: 'keyRight',
  ' ': 'keySpace',
  Home: 'keyHome',
  End: 'keyEnd',
  PageUp: 'keyPageUp',
  PageDown: 'keyPageDown',
}

/** Three or more digits are shown as a range. `Object.keys` returns digits in ascending order. */
function getKeyLabels(keys: string[]): string[] {
  if (keys.length > 2 && keys.every((key) => /^\d$/.test(key))) return [`${keys[0]}–${keys.at(-1)}`]
  return keys.map((key) => {
    const text = keyMessages[key]
    return text ? t(text) : key === 'Escape' ? 'Esc' : key.toUpperCase()
  })
}
