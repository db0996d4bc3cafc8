// Nothing is asked for while nobody looks, and nothing but a page is put into a page.
const say = (text) => {
  document.getElementById('connection').textContent = text
}

document.addEventListener('htmx:before:request', (event) => {
  if (document.hidden) event.preventDefault()
})

document.addEventListener('htmx:before:response', (event) => {
  const isPage = event.detail.ctx.response.status === 200
  if (!isPage) event.preventDefault()
  say(isPage ? '' : 'This page is out of date. Load it again.')
})

document.addEventListener('htmx:error', () => {
  say('The mock server does not answer. This page may be out of date.')
})
