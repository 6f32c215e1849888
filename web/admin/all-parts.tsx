import '../assets/tokens.css'
import './style/base.css'
import './components/notices.css'
import './style/all-parts.css'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '../shared/api-error.ts'
import { controlStates, showStates } from '../shared/part-states.ts'
import { loadMessages } from './app/language.ts'
import { Button, type ButtonKind, Buttons, IconButton } from './components/button.tsx'
import { Chip } from './components/chip.tsx'
import { Choices } from './components/choices.tsx'
import { LoadError, Loading } from './components/loaded.tsx'
import { Badge, Card, Empty } from './components/page.tsx'
import { Pagination } from './components/pagination.tsx'
import { Progress } from './components/progress.tsx'
import { Table } from './components/table.tsx'
import '../typefaces/samples.css'
import './events/fields/design-fields.css'
import { CheckField, SelectField, SwitchField, TextArea, TextField } from './components/field.tsx'
import { CoverThumbnail } from './events/cover-thumbnail.tsx'
import { getTypefaceOfTheme, themePresets } from './events/fields/themes.ts'
import { ColorDot } from './photos/marks/color-dot.tsx'

// The page of `npm run parts`. The build does not include it.

const kinds: ButtonKind[] = ['primary', 'plain', 'quiet', 'danger']
const textSizes = ['1', '2', '3', '4', '5', '6', '7', '8', 'title', 'display']
const colors = ['paper', 'card', 'wash', 'line', 'edge', 'quiet', 'ink', 'accent', 'fill', 'alarm', 'warn', 'good']
const doNothing = () => {}

const States = ({ children }: { children: ReactNode }) =>
  controlStates.map((state) => (
    <div key={state} data-state={state}>
      {children}
    </div>
  ))

function AllParts() {
  useEffect(showStates)
  return (
    <main className="all-parts">
      <Card title="Colors">
        <div className="all-parts-row">
          {colors.map((name) => (
            <figure key={name}>
              <div className="all-parts-color" style={{ background: `var(--${name})` }} />
              <figcaption>{name}</figcaption>
            </figure>
          ))}
        </div>
      </Card>
      <Card title="Type">
        {textSizes.map((size) => (
          <p key={size} style={{ fontSize: `var(--text-${size})` }}>
            --text-{size} Ana & Ben, 24 photos
          </p>
        ))}
      </Card>
      <Card title="Buttons: normal, hover, focus, disabled, loading">
        {kinds.map((kind) => (
          <div key={kind} className="all-parts-row">
            <States>
              <Button kind={kind} icon="upload">
                Upload
              </Button>
            </States>
            <Button kind={kind} disabled>
              Upload
            </Button>
            <Button kind={kind} isBusy>
              Uploading
            </Button>
          </div>
        ))}
        <div className="all-parts-row">
          <States>
            <IconButton icon="close" label="Close" />
          </States>
          <IconButton icon="close" label="Close" disabled />
        </div>
      </Card>
      <Card title="Fields: normal, hover, focus, disabled, error">
        <div className="columns">
          <States>
            <TextField label="Name" defaultValue="Ana & Ben" help="Shown to guests." />
          </States>
          <TextField label="Name" defaultValue="Ana & Ben" disabled />
          <TextField label="Name" placeholder="Ana & Ben" />
          <TextField label="Name" errorText="Enter a name." />
          <States>
            <SelectField label="Type">
              <option>Wedding</option>
            </SelectField>
          </States>
          <SelectField label="Type" disabled>
            <option>Wedding</option>
          </SelectField>
          <TextArea label="Message" errorText="Too long: at most 2,000 characters." />
        </div>
      </Card>
      <Card title="Switches, check boxes, choices">
        <div className="columns">
          <States>
            <SwitchField label="Allow downloads" defaultChecked help="Guests can save photos." />
          </States>
          <SwitchField label="Allow downloads" />
          <SwitchField label="Allow downloads" defaultChecked disabled />
          <SwitchField label="Allow downloads" disabled />
          <CheckField label="JPEG" defaultChecked />
          <CheckField label="JPEG" />
          <CheckField label="JPEG" defaultChecked disabled />
        </div>
        <Choices
          label="Access"
          value="password"
          onChange={doNothing}
          choices={[
            { value: 'password', label: 'Password protected', help: 'Guests need the link and the password.' },
            { value: 'link', label: 'Link only', help: 'Anyone with the link can open the gallery.' },
          ]}
        />
        <Choices
          label="Theme"
          value="linen"
          isPictured
          onChange={doNothing}
          choices={themePresets.map((value) => ({
            value,
            label: value,
            picture: <span className={`swatch theme-${value} type-${getTypefaceOfTheme(value)}`} aria-hidden="true" />,
          }))}
        />
      </Card>
      <Card title="Chips, badges, labels">
        <div className="all-parts-row">
          <States>
            <Chip isOn={false} onClick={doNothing}>
              Pending
            </Chip>
          </States>
          <Chip isOn onClick={doNothing}>
            All
          </Chip>
          {(['plain', 'good', 'warn', 'bad'] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          {(['red', 'yellow', 'green', 'blue', 'purple'] as const).map((color) => (
            <ColorDot key={color} color={color} />
          ))}
        </div>
      </Card>
      <Card title="Progress">
        <Progress label="Uploading" done={3} total={8} />
        <Progress label="Preparing" done={null} total={8} />
      </Card>
      <Card title="Table">
        <Table
          caption="Events"
          rows={['Ana & Ben', 'Lindholm']}
          rowKey={(name) => name}
          columns={[
            { head: 'Event', cell: (name) => name },
            { head: 'Status', cell: () => <Badge tone="good">Live</Badge> },
            { head: 'Photos', cell: () => 24, isNumeric: true },
          ]}
        />
        <Pagination page={1} pages={3} onPage={doNothing} />
      </Card>
      <Card title="Cover without a photo">
        <CoverThumbnail eventId={0} photoId={null} />
      </Card>
      <Card title="Loading, failed, empty">
        <Loading />
        <LoadError error={new ApiError(503, null)} onRetry={doNothing} />
        <Empty title="No events yet" text="Create the first one.">
          <Buttons>
            <Button kind="primary">New event</Button>
          </Buttons>
        </Empty>
      </Card>
      <Card title="Notices">
        <div className="all-parts-row">
          <div className="notice">3 photos hidden</div>
          <div className="notice warning">2 sidecars were not merged.</div>
          <div className="notice alarm">The photos were not deleted.</div>
        </div>
      </Card>
    </main>
  )
}

await loadMessages()
createRoot(document.getElementById('parts') as HTMLElement).render(
  <StrictMode>
    <AllParts />
  </StrictMode>,
)
