package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.QueryParameterAdded.Get(ctx, "ord_1", &shop.QueryParameterAddedGetParams{Page: 2})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
