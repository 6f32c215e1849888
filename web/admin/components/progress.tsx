import '../../shared/progress.css'

type Props = {
  label: string
  /** Null while the progress is unknown. */
  done: number | null
  total: number
}

export const Progress = ({ label, done, total }: Props) => (
  <progress className="progress" aria-label={label} max={total || 1} {...(done !== null && { value: done })} />
)
