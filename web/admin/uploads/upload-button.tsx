import './upload-button.css'
import * as Popover from '@radix-ui/react-popover'
import { useState } from 'react'
import { translator } from '../app/language.ts'
import { buttonClass } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { ChooseFiles } from './choose-files.tsx'
import type { UploadChoice } from './use-upload-choice.ts'

const t = translator('uploads')

export function UploadButton({ choice }: { choice: UploadChoice }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={buttonClass('plain')}>
        <Icon name="upload" />
        {t('upload')}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="upload-popover"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('upload')}
        >
          <ChooseFiles choice={choice} hint={t('dropSlim')} onChosen={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
