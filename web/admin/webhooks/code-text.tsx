export const CodeText = ({ label, text, isCode = false }: { label: string; text: string; isCode?: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className="webhooks-code" aria-label={label} tabIndex={0}>
    <pre dir="ltr" {...(!isCode && { className: 'webhooks-folds' })}>
      {text}
    </pre>
  </section>
)

export const codeInputProps = { className: 'mono', dir: 'ltr', spellCheck: false, autoCapitalize: 'off' } as const

export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
