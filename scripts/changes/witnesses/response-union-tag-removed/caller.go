package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.ResponseUnionTagRemoved.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	if pay, ok := order.Pay.(shop.ResponseUnionTagRemovedCard); ok {
		return pay.Number, nil
	}
	return "other", nil
}
