package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.QueryParameterStyleChanged.Get(ctx, "ord_1", &shop.QueryParameterStyleChangedGetParams{Tags: []string{"a", "b"}})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
