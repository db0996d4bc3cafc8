import type { Name, Operation, Resource } from '../../model/types.ts'
import { pascal } from '../../model/words.ts'

/** Words that cannot name a variable or a constant, or should not. */
const KEYWORDS = new Set(
  `__ENCODING__ __FILE__ __LINE__ BEGIN END alias and begin break case class def defined do else elsif
  end ensure false for if in module next nil not or redo rescue retry return self super then true
  undef unless until when while yield FALSE NIL TRUE`.split(/\s+/),
)

/** Words that cannot name a type of RBS. */
const SIGNATURE_KEYWORDS = new Set(
  `alias attr_accessor attr_reader attr_writer bool bot class def end extend false in include instance
  interface module nil out prepend private public self singleton top true type unchecked untyped
  void`.split(/\s+/),
)

/** Methods of every object and of models, which a member of the same name would replace. */
export const OBJECT_METHODS: ReadonlySet<string> = new Set(
  `__id__ __send__ as_json class clone deconstruct_keys define_singleton_method display dup encode_with enum_for
  extend freeze hash init_with initialize initialize_clone initialize_copy initialize_dup inspect instance_eval
  instance_exec instance_variable_get instance_variable_set instance_variables itself load_field marshal_dump marshal_load method
  method_missing methods object_id plain private_methods protected_methods public_method
  public_methods public_send raise remove_instance_variable
  request_id_beside send singleton_class singleton_method
  singleton_methods hold taint tap then to_a to_ary to_enum to_h to_hash to_json to_proc to_s to_str
  trust untaint untrust wire_name wire_names with with_request_id yield_self`.split(/\s+/),
)

/** The parameters of every method besides its own. */
const REQUEST_OPTIONS = 'request_options'

export function snake(name: Name): string {
  return ascii(name.join('_')).toLowerCase()
}

/** `maxBodyBytes` → `max_body_bytes`. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, '_$&').toLowerCase()
}

/** The name of a reader or a method; `n` where the document's has neither letter nor digit. */
export function member(name: Name): string {
  const joined = identifier(name)
  return OBJECT_METHODS.has(joined) || joined === REQUEST_OPTIONS ? `${joined}_` : joined
}

/** The name of a parameter: like a reader's, but never a keyword, which a reader may be. */
export function variable(name: Name): string {
  return free(member(name))
}

/** The name of a type in signatures only. */
export function signatureType(name: Name): string {
  const joined = identifier(name)
  return SIGNATURE_KEYWORDS.has(joined) ? `${joined}_` : joined
}

/** The constants of an enum's values; null for a value that has no name, or that of another. */
export function enumConstants(values: ReadonlyArray<string | number>): Array<string | null> {
  const names = values.map((value) =>
    String(value)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d)/, 'V'),
  )
  const isOnce = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  return names.map((name) => (/^[A-Z]/.test(name) && isOnce(name) ? free(name) : null))
}

/** The constant of a declaration. */
export function constant(id: string): string {
  return pascal([ascii(id)]).replace(/^(?![A-Z])/, 'N')
}

/** `ConversationsMessagesResource`; the suffix keeps it apart from a schema of the same name. */
export function resourceClass({ path }: Pick<Resource, 'path'>): string {
  return `${constant(pascal(path.flat()))}Resource`
}

/** From the folder of generated files, without an extension. */
export function resourceFile({ path }: Resource): string {
  return `resources/${path.map(snake).join('/')}`
}

/** The method that leads to a resource. */
export function resourceMethod({ path }: Pick<Resource, 'path'>): string {
  return member(path.at(-1) ?? [])
}

export function methodName({ method }: Operation): string {
  return member(method)
}

/** A name starts with a letter; with `_` it would be private. */
function identifier(name: Name): string {
  return snake(name).replace(/^(?![a-z])/, 'n')
}

function free(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name
}

/** In the letters that RBS accepts: `größe` → `grosse`, `名` → `u540d`. */
function ascii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => {
      const capitals = letter.toUpperCase()
      const isSpelled = /^[A-Z]+$/.test(capitals)
      return isSpelled ? capitals.toLowerCase() : `u${letter.codePointAt(0)?.toString(16)}`
    })
}
