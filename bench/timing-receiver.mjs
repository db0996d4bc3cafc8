// Takes deliveries and notes how old each is, by the time in its body. Whatever comes to `/slow` waits 300 ms for its
// response, whatever comes to `/hangs` two seconds.

import { createServer } from 'node:http'

const HANG = 2_000
const SLOW = 300
/** @type {number[]} */
let ages = []
let [first, last] = [0, 0]
let hanging = 0
let peak = 0

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const done = () => response.writeHead(204).end()
    if (request.url !== '/hangs') {
      last = Date.now()
      first ||= last
      ages.push(last - JSON.parse(text).at)
      return request.url === '/slow' ? setTimeout(done, SLOW) : done()
    }
    peak = Math.max(peak, ++hanging)
    setTimeout(() => {
      hanging--
      done()
    }, HANG)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(address?.port)
})
process.on('message', () => {
  process.send?.({ ages, peak, first, last })
  ages = []
  peak = 0
  first = 0
  last = 0
})
process.on('disconnect', () => process.exit())
