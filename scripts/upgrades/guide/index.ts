export { GUIDE, guide } from './document.ts'
export { anchorOf } from './entry.ts'
export { guideFor } from './guide.ts'
