import './gallery.css'
import '../shared/color-dot.css'
import '../shared/progress.css'
import './parts/sheet.css'
import './marks/marks.css'
import './grid/selecting.css'
import './viewer/viewer.css'
import './all-parts.css'
import { type ComponentChildren, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { controlStates, showStates } from '../shared/part-states.ts'
import { AnyIcon, type AnyIconName } from './parts/any-icon.tsx'
import { Choice, ChoiceGroup } from './parts/choices.tsx'
import { Field } from './parts/field.tsx'
import { CopyLink } from './parts/link.tsx'

// The page of `npm run parts`. The build does not include it.

const doNothing = () => {}

const States = ({ children }: { children: ComponentChildren }) =>
  controlStates.map((state) => (
    <div key={state} data-state={state}>
      {children}
    </div>
  ))

const Round = ({
  name,
  class: className = '',
  ...rest
}: {
  name: AnyIconName
  class?: string
  [key: string]: unknown
}) => (
  <button type="button" class={`round ${className}`} aria-label={name} {...rest}>
    <AnyIcon name={name} />
  </button>
)

function AllParts() {
  useEffect(showStates)
  return (
    <main class="all-parts">
      <h1>Ana & Ben</h1>
      <p class="facts">June 20, 2026 · 24 photos</p>
      <h2>Buttons: normal, hover, focus, disabled</h2>
      {['primary', ''].map((kind) => (
        <div key={kind} class="all-parts-row">
          <States>
            <button type="button" class={`button ${kind}`}>
              Send my picks
            </button>
          </States>
          <button type="button" class={`button ${kind}`} aria-disabled="true">
            Send my picks
          </button>
        </div>
      ))}
      <div class="all-parts-row">
        <States>
          <Round name="close" />
        </States>
      </div>
      <h2>Fields: normal, hover, focus, error</h2>
      <div class="all-parts-row sheet">
        {controlStates.map((state) => (
          <div key={state} class="field" data-state={state}>
            <Field label="Name" hint="The photographer sees it.">
              {(described) => <input {...described} value="Ana" />}
            </Field>
          </div>
        ))}
        <Field label="Name" trouble="Enter a name.">
          {(described) => <input {...described} aria-invalid="true" />}
        </Field>
      </div>
      <CopyLink url="https://photos.example/gallery/ana-ben" />
      <h2>Choices</h2>
      <div class="sheet">
        <ChoiceGroup name="Rating" isTight>
          {['Any', '1+', '2+'].map((name, index) => (
            <Choice key={name} group="rating" isOn={index === 0} onChoose={doNothing}>
              {name}
            </Choice>
          ))}
        </ChoiceGroup>
      </div>
      <div class="all-parts-row">
        <States>
          <a class="chip" href="#photos">
            My picks
          </a>
        </States>
        <a class="chip" href="#photos" aria-current="page">
          All
        </a>
      </div>
      <h2>Progress</h2>
      <div class="sheet">
        <progress value={3} max={8} aria-label="Uploading" />
      </div>
      <h2>Picks and notices</h2>
      <div class="pill some" style={{ justifySelf: 'start' }}>
        <div class="pill-row">
          <a class="my-picks" href="#photos">
            3 picks
          </a>
          <button type="button" class="send-picks">
            Send
          </button>
        </div>
      </div>
      <div class="notices">
        <p class="toast">
          Picked
          <button type="button" class="link">
            Undo
          </button>
        </p>
        <p class="toast alarm">Not saved</p>
      </div>
      <h2>On photos: normal, hover, focus, picked, selected</h2>
      <div class="all-parts-row">
        {controlStates.map((state) => (
          <div key={state} class="all-parts-photo tile" data-state={state}>
            <Round name="heart" class="pick" style={{ opacity: 1 }} />
            <p class="badges">
              <span class="badge">★ 4</span>
              <span class="dot green">G</span>
            </p>
          </div>
        ))}
        <div class="all-parts-photo tile">
          <Round name="heart" class="pick on" />
        </div>
        <div class="all-parts-photo tile selected">
          <span class="tick">
            <AnyIcon name="check" />
          </span>
        </div>
      </div>
      <h2>In the viewer</h2>
      <div class="all-parts-row all-parts-dark">
        <States>
          <Round name="download" class="viewer-button" />
        </States>
        <Round name="download" class="viewer-button" aria-disabled="true" />
        <Round name="download" class="viewer-button busy" />
        <Round name="heart" class="viewer-button heart" aria-pressed="true" />
        {['red', 'yellow', 'green', 'blue', 'purple'].map((color) => (
          <span key={color} class={`dot viewer-dot ${color}`} />
        ))}
      </div>
      <h2>Without JavaScript</h2>
      <div class="card">
        <p class="wrong">Incorrect password. Try again.</p>
        <form>
          <div class="password">
            <label for="password">Password</label>
            <input id="password" type="password" aria-invalid="true" value="seaside" />
          </div>
          <button type="button">Open gallery</button>
        </form>
      </div>
    </main>
  )
}

render(<AllParts />, document.getElementById('parts') as HTMLElement)
