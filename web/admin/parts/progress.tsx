import './progress.css'

type Props = {
  /** What goes on. */
  label: string
  /** Of `total`; null while nobody knows how much there is. */
  done: number | null
  total: number
}

export const Progress = ({ label, done, total }: Props) => (
  <progress className="progress" aria-label={label} max={total || 1} {...(done !== null && { value: done })} />
)
