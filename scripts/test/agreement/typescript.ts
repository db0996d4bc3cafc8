import { join } from 'node:path'
import ts from 'typescript'
import type { Fields } from './seen.ts'

export const closesSent = true

/** Uses the compiler, which resolves intersections and inheritance. */
export function read(packages: readonly string[]): Fields[] {
  const files = packages.map((folder) => join(folder, 'src/generated/types.ts'))
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: [] }
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  return files.map((file) => {
    const fields: Fields = new Map()
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) continue
      for (const property of checker.getPropertiesOfType(type)) {
        const value = checker.getTypeOfSymbol(property)
        fields.set(`${symbol.name}.${property.name}`, {
          mayBeAbsent: (property.flags & ts.SymbolFlags.Optional) !== 0,
          nullable: partsOf(value).some(({ flags }) => (flags & NULL) !== 0),
          closed: isClosed(value),
        })
      }
    }
    return fields
  })
}

const NULL = ts.TypeFlags.Null | ts.TypeFlags.Unknown

function partsOf(type: ts.Type): ts.Type[] {
  return type.isUnion() ? type.types : [type]
}

function isClosed(type: ts.Type): boolean {
  const absent = ts.TypeFlags.Null | ts.TypeFlags.Undefined
  const values = partsOf(type).filter(({ flags }) => !(flags & absent))
  // TypeScript takes a boolean for the union of its values.
  const booleans = values.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)
  return (
    values.length > 0 &&
    booleans.length < 2 &&
    values.every(({ flags }) => flags & ts.TypeFlags.Literal)
  )
}
