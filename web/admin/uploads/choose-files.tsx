import { CategoryField } from './category-field.tsx'
import { ChooseButtons } from './choose-buttons.tsx'
import type { UploadChoice } from './use-upload-choice.ts'

type Props = { choice: UploadChoice; hint: string; isPrimary?: boolean; onChosen?: () => void }

export const ChooseFiles = ({ choice, hint, isPrimary = false, onChosen }: Props) => (
  <div className="upload-choose">
    <p className="upload-hint">{hint}</p>
    <ChooseButtons
      acceptedTypes={choice.target.acceptedTypes}
      isPrimary={isPrimary}
      onChosen={(chosen) => {
        choice.add(chosen)
        onChosen?.()
      }}
    />
    <CategoryField eventId={choice.target.eventId} value={choice.target.category} onChange={choice.setCategory} />
  </div>
)
