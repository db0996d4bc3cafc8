package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.QueryParameterRemoved.Get(ctx, "ord_1", &shop.QueryParameterRemovedGetParams{Lang: "de"})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
