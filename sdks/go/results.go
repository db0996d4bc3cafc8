//go:build everycontract

package supportchat

import (
	"context"
	"reflect"
)

// callValue returns the result of any other operation.
func callValue[T any](
	ctx context.Context, a *api, method, template string, in input, opts []RequestOption,
) (result T, err error) {
	err = a.call(ctx, method, template, in, &result, opts)
	return result, err
}

// callByStatus returns the result of an operation whose result type depends on the status.
func callByStatus(
	ctx context.Context, a *api, method, template string, in input, opts []RequestOption,
) (any, error) {
	op := operations[method+" "+template]
	a, err := a.with(opts)
	if err != nil {
		return nil, err
	}
	received, err := a.fetch(ctx, method, template, in, op)
	if err != nil || received.isEmpty(op) {
		return nil, err
	}
	result := reflect.New(op.resultType(received.status))
	if err := a.read(ctx, received, op, result.Interface()); err != nil {
		return nil, err
	}
	return result.Elem().Interface(), nil
}

// resultType returns the result type for a status.
func (o operation) resultType(status int) reflect.Type {
	for _, key := range []int{status, 0} {
		if found, ok := o.results[key]; ok {
			return found
		}
	}
	return reflect.TypeFor[any]()
}
