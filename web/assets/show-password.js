// Shows the button that makes the typed password readable. Without script, the button stays hidden.
const button = document.querySelector('.show-password')
const field = document.querySelector('input[name="password"]')

const setReadable = (isReadable) => {
  field.type = isReadable ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(isReadable))
}

button.hidden = false
button.addEventListener('click', () => {
  setReadable(field.type === 'password')
  field.focus()
})
// Browsers remember the contents of text fields, but not of password fields.
field.form.addEventListener('submit', () => setReadable(false))
