// Takes deliveries and answers them at once, in a process of its own that ends with the one that sends.

import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(address?.port)
})
process.on('disconnect', () => process.exit())
