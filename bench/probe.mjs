// Loaded into each measured server: answers every message with what the process has used so far, its heap without what
// is no longer in use where --expose-gc allows it, and
// ends the process when the one that measures it is gone. Hides that there is one: Mockoon would tell it of
// each request.

const send = process.send?.bind(process)
delete process.send
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed: heap } = process.memoryUsage()
  send?.({ cpu: user + system, rss, heap })
})
process.on('disconnect', () => process.exit())
