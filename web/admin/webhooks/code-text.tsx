type Props = { label: string; text: string; isCode?: boolean }

export const CodeText = ({ label, text, isCode = false }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
  <section className="webhooks-code" aria-label={label} tabIndex={0}>
    <pre dir="ltr" {...(!isCode && { className: 'webhooks-folds' })}>
      {text}
    </pre>
  </section>
)
