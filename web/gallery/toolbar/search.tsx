import { useRef, useState } from 'preact/hooks'
import { endEntrySeries, navigateToQuery } from '../filters/navigate-to-query.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'
import { asked } from '../state/photos.ts'

const typingPauseMs = 300

export function Search() {
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = asked.value.search ?? ''

  const search = (searchText: string) => {
    clearTimeout(timer.current)
    const { search: before = '', ...others } = asked.peek()
    if (searchText.trim() !== before) navigateToQuery({ ...others, search: searchText.trim() }, { isSameEntry: true })
  }
  const open = () => {
    // Set the class directly: phones open the keyboard only if the field gets the focus during the touch event.
    field.current?.parentElement?.classList.add('open')
    field.current?.focus()
    setOpen(true)
  }
  const close = () => {
    search('')
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`round search-opener${text ? ' on' : ''}`}
        aria-label={t('openSearch')}
        aria-expanded={isOpen}
        onClick={open}
      >
        <Icon name="search" />
      </button>
      <search class={`search${isOpen ? ' open' : ''}`}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          value={text}
          placeholder={t('search')}
          aria-label={t('search')}
          maxLength={200}
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          onFocus={endEntrySeries}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => search(currentTarget.value), typingPauseMs)
          }}
          onChange={({ currentTarget }) => search(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape' && isOpen) close()
          }}
        />
        <button type="button" class="round search-closer" aria-label={t('closeSearch')} onClick={close}>
          <Icon name="close" />
        </button>
      </search>
    </>
  )
}
