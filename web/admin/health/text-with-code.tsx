import { Fragment } from 'react'

/** Text with names of variables and commands in `backticks`. */
export const TextWithCode = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, index) => {
      const key = `${index} ${part}`
      return index % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>
    })}
  </>
)
