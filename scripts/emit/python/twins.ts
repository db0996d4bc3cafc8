/** The differences between the blocking and the async classes. */
export interface Twin {
  /** Before the names of classes. */
  prefix: '' | 'Async'
  /** Before the keywords of Python that have two forms. */
  keyword: '' | 'async '
  /** Before an expression that is to be awaited. */
  awaits: '' | 'await '
  module: 'sync' | 'aio'
  client: 'Client' | 'AsyncClient'
  raw: 'raw' | 'raw_async'
  pages: 'Page' | 'AsyncPages'
  /** The text after the name of the API in the client's docstring. */
  text: string
}

export const SYNC: Twin = {
  prefix: '',
  keyword: '',
  awaits: '',
  module: 'sync',
  client: 'Client',
  raw: 'raw',
  pages: 'Page',
  text: '',
}

const ASYNC: Twin = {
  prefix: 'Async',
  keyword: 'async ',
  awaits: 'await ',
  module: 'aio',
  client: 'AsyncClient',
  raw: 'raw_async',
  pages: 'AsyncPages',
  text: ', for asyncio and trio',
}

export const TWINS: readonly Twin[] = [SYNC, ASYNC]
