// A hidden page is not refreshed, and only a page replaces a page.
const report = (text) => {
  document.getElementById('connection').textContent = text
}

document.addEventListener('htmx:before:request', (event) => {
  if (document.hidden) event.preventDefault()
})

document.addEventListener('htmx:before:response', (event) => {
  const isPage = event.detail.ctx.response.status === 200
  if (!isPage) event.preventDefault()
  report(isPage ? '' : 'This page is out of date. Reload it.')
})

document.addEventListener('htmx:error', () => {
  report('The mock server does not respond. This page may be out of date.')
})

// Buttons that copy appear only where they work.
if (navigator.clipboard) document.documentElement.classList.add('copies')

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  const said = document.getElementById('copied')
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    said.textContent = 'Copied.'
    button.classList.add('done')
  } catch {
    said.textContent = 'The browser did not allow copying. Select the text instead.'
  }
  setTimeout(() => {
    said.textContent = ''
    button.classList.remove('done')
  }, 2000)
})
