import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { repository } from './packages.ts'
import { output } from './processes.ts'
import { compilers } from './runtimes.ts'

/**
 * Compiles a folder strictly, the declarations of the packages included.
 *
 * @throws Error with what the compiler says, unless it accepts all of it.
 */
export async function compile(
  folder: string,
  compiler: keyof typeof compilers,
  options: object,
): Promise<void> {
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    typeRoots: [path.join(repository, 'node_modules/@types')],
    types: ['node'],
    ...options,
  }
  const config = path.join(folder, `tsconfig.${compiler.replace('TypeScript ', '')}.json`)
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['.'], exclude: ['dist'] }))
  await output([...compilers[compiler](), '-p', config], { cwd: folder })
}
