import { describe, expect, it } from 'vitest'
import { wrap } from '../emit/core/comment.ts'
import { methodOf, pathPrefix } from '../lower/methods.ts'
import { pascal, singular, words } from '../model/words.ts'

describe('words of a name', () => {
  it.each([
    ['conversation_id', ['conversation', 'id']],
    ['conversationId', ['conversation', 'Id']],
    ['URLSourceParams', ['URL', 'Source', 'Params']],
    ['X-Request-Id', ['X', 'Request', 'Id']],
    ['IN_TRANSIT', ['in', 'transit']],
    ['API', ['API']],
    ['order.item-v2', ['order', 'item', 'v2']],
    ['@id', ['id']],
    ['', []],
    ['größe', ['größe']],
  ])('%s: %j', (name, expected) => {
    expect(words(name)).toEqual(expected)
  })

  it('make the name of a type', () => {
    expect(pascal(words('url_source-params'))).toBe('UrlSourceParams')
    expect(pascal(words('URLSourceParams'))).toBe('URLSourceParams')
  })
})

describe('the singular', () => {
  it.each([
    ['conversations', 'conversation'],
    ['categories', 'category'],
    ['boxes', 'box'],
    ['addresses', 'address'],
    ['analytics', 'analytics'],
    ['status', 'status'],
    ['knowledge', 'knowledge'],
  ])('of %s is %s', (plural, expected) => {
    expect(singular(plural)).toBe(expected)
  })
})

describe('the prefix of all paths', () => {
  it.each([
    [['/v1/a', '/v1/b/{id}'], '/v1'],
    [['/api/v2/a', '/api/v2/b'], '/api/v2'],
    [['/2030-01-31/a', '/2030-01-31/b'], '/2030-01-31'],
    [['/a', '/b'], ''],
    [['/v1/a', '/v2/a'], ''],
    [['/api/a', '/api/b'], ''],
    [[], ''],
  ])('of %j is %j', (paths, expected) => {
    expect(pathPrefix(paths)).toBe(expected)
  })
})

describe('where an operation without x-sdk-method stands', () => {
  it.each([
    ['GET', '/v1/orders', true, 'orders.list'],
    ['GET', '/v1/status', false, 'status.get'],
    ['GET', '/v1/orders/{id}', false, 'orders.get'],
    ['POST', '/v1/orders/{id}/line-items', false, 'orders.lineitems.create'],
    ['PUT', '/v1/orders/{id}', false, 'orders.replace'],
    ['PATCH', '/v1/orders/{id}', false, 'orders.update'],
    ['DELETE', '/v1/orders/{id}', false, 'orders.delete'],
    ['POST', '/v1/orders/{id}', false, 'orders.update'],
    ['DELETE', '/v1/orders', true, 'orders.deleteall'],
    ['GET', '/v1/orders.json', true, 'orders.list'],
    ['GET', '/v1', false, 'root.get'],
  ])('%s %s is %s', (verb, path, isList, expected) => {
    const { resource, method } = methodOf(verb, path, '/v1', {
      item: {},
      operation: {},
      isList,
      isCollection: isList,
    })
    expect([...resource, method].map((name) => name.join('')).join('.')).toBe(expected)
  })
})

describe('text in a comment', () => {
  it('is filled to the width', () => {
    expect(wrap('one two\nthree four', 9)).toEqual(['one two', 'three', 'four'])
  })

  it('keeps paragraphs, lists and code', () => {
    const text = 'Text\nthat continues.\n\n- one\n- two\n\n    code\n      more'
    expect(wrap(text, 80)).toEqual([
      'Text that continues.',
      '',
      '- one',
      '- two',
      '',
      '    code',
      '      more',
    ])
  })

  it('keeps a word that is longer than the width', () => {
    expect(wrap('a https://example.com/long b', 10)).toEqual(['a', 'https://example.com/long', 'b'])
  })

  it('has no control characters', () => {
    expect(wrap('a\0b\x1b[31mc\u2028d', 80)).toEqual(['ab[31mc d'])
  })
})
