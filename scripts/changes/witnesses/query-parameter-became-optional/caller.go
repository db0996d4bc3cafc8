package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.QueryParameterBecameOptional.Get(ctx, "ord_1", shop.QueryParameterBecameOptionalGetParams{Lang: "de"})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
