#!/usr/bin/env node
// Written so that every Node.js since version 10 can read it and say what is needed instead.
const needed = [22, 13]
const found = process.versions.node.split('.').map(Number)

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  process.stderr.write(
    `support-chat-mock needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}. ` +
      'Get a newer one from https://nodejs.org.\n',
  )
  process.exitCode = 3
} else {
  import('./dist/cli.js').catch((error) => {
    const isUnbuilt = error.code === 'ERR_MODULE_NOT_FOUND'
    process.stderr.write(
      isUnbuilt
        ? 'support-chat-mock is not built. Run `npm run build` at the root of the repository.\n'
        : `${error.stack}\n`,
    )
    process.exitCode = 1
  })
}
