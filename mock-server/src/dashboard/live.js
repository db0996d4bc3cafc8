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
