import { fakeEvent } from './testing/index.js'

/** Its type is the contract's own. */
export const name: string = fakeEvent('future').data.name
