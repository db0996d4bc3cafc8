// Loaded before all else, and not bundled: what is missing on an older Node.js would be an error in
// the middle of minified code.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 13)) {
  throw new Error(
    `The mock server needs Node.js 22.13 or newer. This is Node.js ${process.versions.node}.`,
  )
}
