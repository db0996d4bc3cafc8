import { candidates, once, output } from '../toolchain/find.ts'
import { programs } from '../toolchain/languages/python.ts'

const PROGRAM = 'import ensurepip, sys; assert sys.version_info >= (3, 10); print(sys.executable)'

/** An interpreter of this machine that can make environments with pip, as the one for our tests cannot. */
export const pythonWithPip = once(() => {
  const found = candidates(['python3']).map((path) => output(path, ['-c', PROGRAM]))
  return found.find((path) => path !== null) ?? programs.python
})
