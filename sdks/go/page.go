package supportchat

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
)

// Page is one page of a list.
type Page[T any] struct {
	// Data holds the items of this page; it may be empty although others follow.
	Data []T
	// NextCursor is where the next page begins; empty on the last one.
	NextCursor string

	pager  *pager[T]
	number int
	answer *reply
}

// NextPage fetches the next page, with the same parameters and options. After the last page it
// returns nil and no error. It fails with an [InvalidResponseError] for a cursor that led to an
// earlier page, which would never end.
func (p *Page[T]) NextPage(ctx context.Context) (*Page[T], error) {
	if p.NextCursor == "" {
		return nil, nil
	}
	if !p.pager.enter(p.NextCursor, p.number+1) {
		return nil, p.pager.api.invalid("the next cursor led to an earlier page", p.answer)
	}
	return p.pager.fetch(ctx, p.NextCursor, p.number+1)
}

// list fetches the page that a list begins with.
func list[T any](
	ctx context.Context, a *api, template string, in input, opts []RequestOption,
) (*Page[T], error) {
	op := operations[http.MethodGet+" "+template]
	query, headers := readParams(in.params)
	query, first := takeParam(query, op.page.cursorParam)
	pages := &pager[T]{
		api: a, template: template, op: op, opts: opts,
		in:      input{path: in.path, query: query, headers: headers},
		numbers: map[string]int{first: 0},
	}
	return pages.fetch(ctx, first, 0)
}

// all returns the items of all pages; each page is fetched when it is reached.
func all[T any](
	ctx context.Context, a *api, template string, in input, opts []RequestOption,
) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		page, err := list[T](ctx, a, template, in, opts)
		for page != nil {
			for i := range page.Data {
				if !yield(&page.Data[i], nil) {
					return
				}
			}
			page, err = page.NextPage(ctx)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// A pager fetches the pages of one list.
type pager[T any] struct {
	api      *api
	template string
	op       operation
	// What all pages are asked for with; the cursor comes on top.
	in   input
	opts []RequestOption

	mu sync.Mutex
	// The number of the page that each cursor led to.
	numbers map[string]int
}

// enter notes that a cursor leads to a page, and reports whether it leads on.
func (p *pager[T]) enter(cursor string, number int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if earlier, ok := p.numbers[cursor]; ok && earlier < number {
		return false
	}
	p.numbers[cursor] = number
	return true
}

func (p *pager[T]) fetch(ctx context.Context, cursor string, number int) (*Page[T], error) {
	in := p.in
	if cursor != "" {
		in.query = append(in.query[:len(in.query):len(in.query)], pair(p.op.page.cursorParam, cursor))
	}
	answer, err := p.api.fetch(ctx, http.MethodGet, p.template, in, p.op, p.opts)
	if err != nil {
		return nil, err
	}
	page := &Page[T]{pager: p, number: number, answer: answer}
	if !page.decode(answer.text(), p.op.page) {
		return nil, p.api.invalid(fmt.Sprintf("no list under %q", p.op.page.items), answer)
	}
	return page, nil
}

// decode reports whether the content can be a page. A missing field is an empty one.
func (p *Page[T]) decode(content []byte, fields pageFields) bool {
	c := &cursor{data: content}
	if !json.Valid(content) || c.next() != '{' {
		return false
	}
	for fits := true; c.more('}'); {
		switch string(c.key()) {
		case fields.items:
			if isNull := c.next() == 'n'; isNull {
				c.skip()
				continue
			}
			fits = codecOf(reflect.TypeFor[[]T]()).decode(c, reflect.ValueOf(&p.Data).Elem())
		case fields.nextCursor:
			p.NextCursor = readCursor(c)
		default:
			c.skip()
		}
		if !fits {
			return false
		}
	}
	return true
}

// readCursor takes a number for its digits, and whatever stands for nothing as the end.
func readCursor(c *cursor) string {
	if c.next() == '"' {
		return c.text()
	}
	switch text := string(c.raw()); text {
	case "null", "false", "0":
		return ""
	default:
		return text
	}
}

// takeParam takes a parameter out of a query.
func takeParam(query []string, name string) (rest []string, value string) {
	for _, pair := range query {
		text, found := strings.CutPrefix(pair, escape(name)+"=")
		if !found {
			rest = append(rest, pair)
			continue
		}
		value, _ = url.PathUnescape(text) // written by escape
	}
	return rest, value
}
