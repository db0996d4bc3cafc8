import { npmPacker } from './npm.ts'

export const packer = npmPacker('mock-server')
