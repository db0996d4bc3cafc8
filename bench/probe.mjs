// Loaded into each measured server: answers every message with what the process has used so far, and
// ends the process when the one that measures it is gone. Hides that there is one: Mockoon would tell it of
// each request.

const send = process.send?.bind(process)
delete process.send
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  send?.({ cpu: user + system, rss: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
