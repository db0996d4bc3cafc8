package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.QueryParameterTypeChanged.Get(ctx, "ord_1", &shop.QueryParameterTypeChangedGetParams{Lang: "de"})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
