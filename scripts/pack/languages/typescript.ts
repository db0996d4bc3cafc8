import { npmPacker } from '../npm.ts'

export const packer = npmPacker('sdks/typescript')
