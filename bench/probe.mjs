// Loaded into each measured server: answers every message with what the process has used so far, and
// ends the process when the one that measures it is gone.

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
