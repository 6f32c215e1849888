import './picture-marks.css'
import { Fragment, type ReactNode } from 'react'
import { pictureUnits, type ThreadKind } from '../../../../contract/gallery/thread-kinds.ts'

type Thread = { id: number; kind: ThreadKind; number: number | null } & Record<'x' | 'y' | 'w' | 'h', number | null>

export type PictureMark<T extends Thread = Thread> = { number: number; thread: T }

/** Returns the pins and boxes among the threads of a photo. */
export const listPictureMarks = <T extends Thread>(threads: readonly T[]): PictureMark<T>[] =>
  threads.flatMap((thread) => (thread.number === null ? [] : [{ number: thread.number, thread }]))

type Props<T extends Thread> = {
  marks: readonly PictureMark<T>[]
  children?: (mark: PictureMark<T>) => ReactNode
}

/** Pins and boxes above a picture that fills the parent element. `children` renders the numbers. */
export const PictureMarks = <T extends Thread>({ marks, children = NumberOfMark }: Props<T>) =>
  marks.map((mark) => {
    const [left, top, width, height] = toPercent(mark.thread)
    return (
      <Fragment key={mark.thread.id}>
        {mark.thread.kind === 'box' && <span className="picture-box" style={{ left, top, width, height }} />}
        <span className="picture-number" style={{ left, top }}>
          {children(mark)}
        </span>
      </Fragment>
    )
  })

const NumberOfMark = ({ number }: { number: number }) => (
  <span className="mark-number" aria-hidden="true">
    {number}
  </span>
)

const toPercent = ({ x, y, w, h }: Thread) => [x, y, w, h].map((part) => `${(100 * (part ?? 0)) / pictureUnits}%`)
