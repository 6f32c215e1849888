import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { t } from '../state/page.ts'

const notice = signal<{ text: string; undo?: (() => void) | undefined; isError: boolean } | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

const shownMs = 5_000

export function showNotice(
  text: string,
  { undo, isError = false }: { undo?: () => void; isError?: boolean } = {},
): void {
  clearTimeout(timer)
  notice.value = { text, undo, isError }
  hideLater()
}

/** A notice whose button has the focus stays. */
function hideLater(): void {
  timer = setTimeout(() => {
    if (document.activeElement?.closest('.toast')) hideLater()
    else notice.value = null
  }, shownMs)
}

export function hideNotice(): void {
  notice.value = null
}

/** The lines below the notice, by name. They do not disappear with it. Parts that are loaded later add or replace one. */
export const lines = signal<Record<string, ComponentType>>({})

export function Notices() {
  const now = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {now && (
        <p class={`toast${now.isError ? ' alarm' : ''}`}>
          <span dir="auto">{now.text}</span>
          {now.undo && (
            <button
              type="button"
              class="link"
              onClick={() => {
                now.undo?.()
                notice.value = null
              }}
            >
              {t('undo')}
            </button>
          )}
        </p>
      )}
      {Object.entries(lines.value).map(([name, Line]) => (
        <Line key={name} />
      ))}
    </div>
  )
}
