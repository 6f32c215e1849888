import { Icon } from '../parts/icon.tsx'
import { page, t } from '../state/page.ts'

const yearSeconds = 365 * 24 * 3600

/** Language links for use without script. With script a cookie keeps the URL unchanged. */
export function LanguageChoice() {
  return (
    <div class="menu-languages">
      <Icon name="globe" />
      <ul aria-label={t('languages')}>
        {page.languages.map(({ code, name }) => (
          <li key={code}>
            <a
              href={`?${new URLSearchParams([...new URLSearchParams(location.search), ['language', code]])}`}
              hreflang={code}
              lang={code}
              aria-current={code === page.locale ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault()
                // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser
                document.cookie = `language=${code}; path=/; max-age=${yearSeconds}; samesite=lax`
                location.reload()
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
