package caller

import (
	"context"
	"errors"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	_, err := client.ErrorFieldRenamedKept.Get(ctx, "ord_1", &shop.ErrorFieldRenamedKeptGetParams{Page: 10})
	refused := new(shop.APIError)
	if !errors.As(err, &refused) {
		return "accepted", err
	}
	if refused.Problem == nil {
		return nil, nil
	}
	var value string = refused.Problem.Detail
	return value, nil
}
