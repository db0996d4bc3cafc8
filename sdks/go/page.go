package supportchat

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Page is one page of a list.
type Page[T any] struct {
	// Data holds the items. It may be empty although more pages follow.
	Data []T
	// NextCursor is the cursor of the next page. It is empty on the last page.
	NextCursor string
	// RequestID identifies the request in the service's logs.
	RequestID string

	pager      *pager[T]
	number     int
	received   *response
	mismatched []mismatchedObject
}

// ErrNoNextPage is the error of [Page.NextPage] on the last page.
var ErrNoNextPage error = &Error{Message: "There is no next page.", Outcome: OutcomeNotSent}

// HasNextPage reports whether there is a next page.
func (p *Page[T]) HasNextPage() bool { return p.NextCursor != "" }

// NextPage fetches the next page with the same parameters and options. On the last page it returns
// [ErrNoNextPage]. It returns an [InvalidResponseError] if the cursor led to an earlier page, since the list
// would never end.
func (p *Page[T]) NextPage(ctx context.Context) (*Page[T], error) {
	if !p.HasNextPage() || p.pager == nil {
		return nil, ErrNoNextPage
	}
	if !p.pager.enter(p.NextCursor, p.number+1) {
		return nil, p.pager.api.invalid("the next cursor led to an earlier page", p.received)
	}
	return p.pager.fetch(ctx, p.NextCursor, p.number+1)
}

// list fetches the first page of a list.
func list[T any](
	ctx context.Context, a *api, template string, in input, opts []RequestOption,
) (*Page[T], error) {
	a, err := a.with(opts)
	if err != nil {
		return nil, err
	}
	op := operations[http.MethodGet+" "+template]
	query, headers := readParams(in.params)
	query, first := takeParam(query, op.page.cursorParam)
	pages := &pager[T]{
		api: a, template: template, op: op,
		in:      input{path: in.path, query: query, headers: headers},
		numbers: map[string]int{first: 0},
	}
	return pages.fetch(ctx, first, 0)
}

// pages returns all pages of a list. It fetches each page when the iteration reaches it.
func pages[T any](
	ctx context.Context, a *api, template string, in input, opts []RequestOption,
) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		page, err := list[T](ctx, a, template, in, opts)
		for err == nil && yield(page, nil) {
			page, err = page.NextPage(ctx)
			if err == ErrNoNextPage {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// all returns the items of all pages.
func all[T any](
	ctx context.Context, a *api, template string, in input, opts []RequestOption,
) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for page, err := range pages[T](ctx, a, template, in, opts) {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Data {
				if !yield(&page.Data[i], nil) {
					return
				}
			}
		}
	}
}

// Collect returns the first items of a sequence, such as the method All of a list, or all of them if the
// limit is negative. After an error it returns the items before it, too.
func Collect[T any](items iter.Seq2[T, error], limit int) ([]T, error) {
	var collected []T
	if limit == 0 {
		return collected, nil
	}
	for item, err := range items {
		if err != nil {
			return collected, err
		}
		if collected = append(collected, item); len(collected) == limit {
			break
		}
	}
	return collected, nil
}

// A pager fetches the pages of one list.
type pager[T any] struct {
	api      *api
	template string
	op       operation
	// The arguments of all pages, without the cursor.
	in input

	mu sync.Mutex
	// The number of the page that each cursor led to.
	numbers map[string]int
}

// enter records the page that a cursor leads to, and reports whether it is a later page.
func (p *pager[T]) enter(cursor string, number int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if earlier, ok := p.numbers[cursor]; ok && earlier < number {
		return false
	}
	p.numbers[cursor] = number
	return true
}

func (p *pager[T]) fetch(ctx context.Context, from string, number int) (*Page[T], error) {
	in := p.in
	if from != "" {
		in.query = append(in.query[:len(in.query):len(in.query)], pair(p.op.page.cursorParam, from))
	}
	received, err := p.api.fetch(ctx, http.MethodGet, p.template, in, p.op)
	if err != nil {
		return nil, err
	}
	page := &Page[T]{RequestID: received.requestID(), pager: p, number: number, received: received}
	problem := page.decode(received.text(), p.op.page)
	if err := p.api.report(ctx, received, page.mismatched); err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, p.api.invalid(problem, received)
	}
	return page, nil
}

// decode reads a page as the model that the contract has for it. It returns what makes the page useless, or "".
func (p *Page[T]) decode(data []byte, fields pageFields) (problem string) {
	var items, next []byte
	isValid := scanJSON(data, maxNesting, func(name, value []byte) {
		switch string(name) {
		case fields.items:
			items = value
		case fields.nextCursor:
			next = value
		}
	})
	if isValid {
		body := reflect.New(fields.model).Elem()
		p.mismatched, _ = decodeWith(cursor{data: data, isReporting: true}, body)
		p.Data = codecOf(fields.model).(*modelCodec).field(body, fields.items).Interface().([]T)
	}
	var isCursor bool
	p.NextCursor, isCursor = readCursor(next)
	switch {
	case !isValid:
		return "the body is " + errSyntax.Error()
	case !bytes.HasPrefix(items, []byte("[")):
		return fmt.Sprintf("no list under %q", fields.items)
	case !isCursor:
		return "the next cursor is neither a string nor an integer"
	default:
		return ""
	}
}

// readCursor returns a cursor as text, and "" if there is none. Services with numeric cursors end their lists
// with 0.
func readCursor(raw []byte) (text string, ok bool) {
	switch c := (&cursor{data: raw}); c.next() {
	case 0, 'n':
		return "", true
	case '"':
		return c.text(), true
	}
	if bytes.ContainsAny(raw, ".eE") {
		n, err := wholeNumber(string(raw))
		raw = strconv.AppendInt(nil, n, 10)
		ok = err == nil
	} else {
		ok = raw[0] == '-' || isDigit(raw[0])
	}
	if string(raw) == "0" {
		return "", ok
	}
	return string(raw), ok
}

func (p Page[T]) mismatchedObjects() []mismatchedObject { return p.mismatched }

// takeParam removes a parameter from a query.
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
