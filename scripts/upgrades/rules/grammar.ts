import type { Language } from '../../changes/types.ts'
import type { Api, Enum, Field, Operation, Parameter, Platform } from '../../model/types.ts'
import type { Match } from './types.ts'

/** How a language spells the parts of an API. */
export interface Names {
  /** From the client to the method. */
  resources(operation: Operation): string[]
  /** The methods of an operation: Go has several for a list. */
  methods(operation: Operation): Methods
  parameter(parameter: Parameter, operation: Operation): string
  field(field: Field): string
  type(id: string, api: Api): string
  /** Null where a value has no constant. */
  value(decl: Enum, value: string | number, api: Api): string | null
}

/** A method for each form of the result. */
export interface Methods {
  one: string
  /** Goes through all items, beside the one that returns a page. */
  all?: string
  pages?: string
}

/** What a variable may stand for. */
export interface Bound {
  /** An expression of its value. */
  value: Match
  /** An expression of a list that it is an item of; null where there are no lists. */
  items: Match | null
  /** The fields that hold it, with expressions of their objects. */
  parts: ReadonlyArray<{ name: string; of: Match }>
  /** The name of its type. */
  type: string | null
  platform: Platform
  /** The kind of the event that it is. */
  event: string | null
}

/** An argument of a call by its name, and what rewrites it. */
export interface Argument {
  rule: Match
  fix(name: string): string
}

/** How programs of a language are written, in terms of ast-grep. */
export interface Grammar {
  language: Language
  /** What ast-grep calls the language, and its variants. */
  dialects: readonly string[]
  names: Names
  /** The names of the member that gives raw responses, between the resource and the method. */
  raw: string | null
  /** The problem of an error. */
  problem: string
  /** The member of a page with its items. */
  items: string
  /** The word that programs which name the platform use. */
  platform(platform: Platform): Match
  /** The expression `object.name`. */
  member(object: Match, name: string): Match
  /** The name in it. */
  memberName(object: Match, name: string): Match
  /** The object of a member. */
  objectOf(name: string): Match
  /** The call of a member. */
  call(member: Match): Match
  /** Expressions with the value of one inside them. */
  wrappers: readonly Match[]
  /** `list[0]` and the like. */
  element(list: Match): Match
  variables: Match
  /** The root of a file. */
  file: Match
  /** What has its own variables. */
  scopes: Match
  /** The nodes that give a variable its value. Without a value: whatever it is. */
  bindings(variable: Match, bound: Bound | null): Match[]
  /** The nodes that say what a variable is. Without a value: whatever they say. */
  narrowings(variable: Match, bound: Bound | null): Match[]
  /** The nodes around the code that runs only where a variable is something. */
  branches(variable: Match, bound: Bound): Match[]
  /** The name of an argument of a call; a call is the node that `call` matches. */
  arguments(name: string, call: Match): Argument[]
  /** The name of a member inside an argument, of an object that a member or argument of some names has. */
  nested(name: string, call: Match, holders: Match): Argument[]
  /** The name of a field where a value of a type is made. */
  literals(name: string, type: string, platform: Platform): Argument[]
  /** The names of fields that are taken from a value without a member, and how to rename them. */
  patterns(name: string, value: Match): Argument[]
  /** The name of a type of the package. */
  typeName(name: string, platform: Platform): Match
  imports: Match
  /** A string literal. */
  string(text: string): Match
  /** The text in a string literal, without its quotes. */
  text(text: string): Match
  /** What compares a string with something, or chooses by it. */
  comparisons: Match
  /** The classes and functions that make clients, and those that verify deliveries. */
  makers: { client(platform: Platform): string[]; verifier: string }
  /** A constant of the package; `name` is as `names.value` has it. */
  constant(name: string, platform: Platform): Match
}
